// The bounds of requests. Figures are ratios within one run, because machines differ and are noisy.
import { promisesOf } from './promises.mjs';

const CPU_OF_NEST = 1.8;
const SPEED_OF_FLOOR = {
  sqlite: { create: 0.38, retrieve: 0.4 },
  mariadb: { create: 0.75, retrieve: 0.65 },
  mysql: { create: 0.75, retrieve: 0.65 },
};
const P99_OF_FLOOR = 2.5;
const CPU_OF_ONE_WORKER = 1.15;
const MEMORY_MB = 300;

const NAMES = { service: 'service', workers: '2 workers', nest: 'minimal Nest', floor: 'floor' };

/** Each bound with what was measured. Bounds of loads that were left out are left out as well. */
export function verdicts(engine, results) {
  const { floor, nest, service, 'workers CPU': workersCpu } = results;
  const { atLeast, atMost } = promisesOf(engine);
  const of = (reference, load, figure) => service[load][figure] / reference[load][figure];
  const measured = (loads) => loads.filter((load) => service[load]);
  const main = measured(['create', 'retrieve']);
  const failed = Object.keys(NAMES)
    .flatMap((name) => Object.values(results[name]))
    .reduce((sum, result) => sum + result.failed, 0);

  return [
    ...main.map((load) =>
      atMost(`${load}, CPU of the minimal Nest app`, of(nest, load, 'CPU µs'), CPU_OF_NEST),
    ),
    ...main.map((load) =>
      atLeast(
        `${load}, requests/s of the floor`,
        of(floor, load, 'requests/s'),
        SPEED_OF_FLOOR[engine][load],
      ),
    ),
    ...measured(['create', 'retrieve', 'mixed']).map((load) =>
      atMost(`${load}, p99 of the floor's`, of(floor, load, 'p99'), P99_OF_FLOOR),
    ),
    ...main.map((load) =>
      atMost(`${load}, CPU with two workers of that with one`, median(workersCpu[load]), CPU_OF_ONE_WORKER),
    ),
    atMost(
      'resident memory after all loads in MB',
      Math.max(...Object.values(service).map((result) => result['memory MB'])),
      MEMORY_MB,
    ),
    atMost('failed requests', failed, 0),
  ];
}

/** Prints what was measured, beside the references. */
export function show(engine, results) {
  console.log(`\n${engine}`);
  console.table(rows(results));
}

/** One row for each load and server; the ratio is requests/s of the floor's. */
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

function ratio(result, floor) {
  return floor ? (result['requests/s'] / floor['requests/s']).toFixed(2) : '–';
}
