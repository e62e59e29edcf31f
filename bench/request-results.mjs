// The bounds of requests. Figures are ratios within one run, because machines differ and are noisy.
import { criteriaOf } from './criteria.mjs';

const CPU_OF_NEST = { create: 1.5, retrieve: 1.6 };
const SPEED_OF_BASELINE = {
  sqlite: { create: 0.38, retrieve: 0.4 },
  mariadb: { create: 0.75, retrieve: 0.65 },
  mysql: { create: 0.75, retrieve: 0.65 },
  postgres: { create: 0.75, retrieve: 0.65 },
};
const CPU_OF_SAME_SIZE = { create: 1.5, retrieve: 1.8 };
const CPU_OF_MARIADB = 1.3;
const SPEED_OF_MARIADB = 1;
const P99_OF_BASELINE = 2.5;
const OWN_CONNECTION_OF_BASELINE = 1.4;
const OWN_CONNECTION_OF_KEPT = 0.6;
const CPU_OF_ONE_WORKER = 1.15;
const MEMORY_MB = 300;

const NAMES = { service: 'service', workers: '2 workers', nest: 'minimal Nest', floor: 'baseline' };

/** Each criterion with what was measured. Criteria of loads that were left out are left out as well. */
export function requestResults(engine, results) {
  const { floor: baseline, nest, service, 'workers CPU': workersCpu } = results;
  const mariadb = results['MariaDB in the same run'];
  const { atLeast, atMost } = criteriaOf(engine);
  const of = (reference, load, figure) => service[load][figure] / reference[load][figure];
  const measured = (loads) => loads.filter((load) => service[load]);
  const main = measured(['create', 'retrieve']);
  const failed = Object.keys(NAMES)
    .flatMap((name) => Object.values(results[name]))
    .reduce((sum, result) => sum + result.failed, 0);

  return [
    ...main.map((load) =>
      atMost(`${load}, CPU relative to the minimal Nest app`, of(nest, load, 'CPU µs'), CPU_OF_NEST[load]),
    ),
    ...main.map((load) =>
      atLeast(
        `${load}, requests/s relative to the baseline`,
        of(baseline, load, 'requests/s'),
        SPEED_OF_BASELINE[engine][load],
      ),
    ),
    ...(mariadb ? main : []).flatMap((load) => [
      atMost(`${load}, CPU relative to MariaDB`, of(mariadb, load, 'CPU µs'), CPU_OF_MARIADB),
      atLeast(`${load}, requests/s relative to MariaDB`, of(mariadb, load, 'requests/s'), SPEED_OF_MARIADB),
    ]),
    ...measured(['create on own connection', 'retrieve on own connection']).flatMap((load) => [
      atLeast(
        `${load}, requests/s relative to the baseline`,
        of(baseline, load, 'requests/s'),
        OWN_CONNECTION_OF_BASELINE,
      ),
      ...measured([load.split(' ')[0]]).map((kept) =>
        atLeast(
          `${load}, requests/s relative to kept connections`,
          service[load]['requests/s'] / service[kept]['requests/s'],
          OWN_CONNECTION_OF_KEPT,
        ),
      ),
    ]),
    ...Object.entries(CPU_OF_SAME_SIZE)
      .filter(([load]) => service[`${load} of the same size`] && service[`end-to-end ${load}`])
      .map(([load, bound]) =>
        atMost(
          `end-to-end ${load}, CPU relative to a plain one of the same size`,
          service[`end-to-end ${load}`]['CPU µs'] / service[`${load} of the same size`]['CPU µs'],
          bound,
        ),
      ),
    ...measured(['create', 'retrieve', 'mixed', 'newcomers']).map((load) =>
      atMost(`${load}, p99 relative to the baseline`, of(baseline, load, 'p99'), P99_OF_BASELINE),
    ),
    ...main.map((load) =>
      atMost(`${load}, CPU with two workers relative to one`, median(workersCpu[load]), CPU_OF_ONE_WORKER),
    ),
    atMost(
      'resident memory after all loads in MB',
      Math.max(...Object.values(service).map((result) => result['memory MB'])),
      MEMORY_MB,
    ),
    atMost('failed requests', failed, 0),
  ];
}

/** Prints what was measured, with the references. */
export function show(engine, results) {
  console.log(`\n${engine}`);
  console.table(rows(results));
}

/** One row for each load and server; the ratio is requests/s relative to the baseline. */
export function rows(results) {
  return Object.keys(results.service).flatMap((load) =>
    Object.entries(NAMES)
      .filter(([server]) => results[server][load])
      .map(([server, name]) => ({
        load,
        of: name,
        ...results[server][load],
        ratio: ratio(results[server][load], results.floor[load]),
      })),
  );
}

/** Each ratio is of two measurements within one round: both met the same machine. */
function median(ratios) {
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)];
}

function ratio(result, baseline) {
  return baseline ? (result['requests/s'] / baseline['requests/s']).toFixed(2) : '–';
}
