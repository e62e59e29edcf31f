// What we hold ourselves to. Figures are ratios within one run, for machines differ and are noisy.
import { promisesOf } from './promises.mjs';

/** Each promise with what was measured. */
export function verdicts(engine, { floor, service, workers, 'workers CPU': workersCpu }) {
  const isSqlite = engine === 'sqlite';
  const speed = (load) => service[load]['requests/s'] / floor[load]['requests/s'];
  const cpu = (load) => service[load]['CPU µs'] / floor[load]['CPU µs'];
  const most = (field, loads) => Math.max(...loads.map((load) => service[load][field]));
  const failed = [service, workers].flatMap(Object.values).reduce((sum, result) => sum + result.failed, 0);

  const { atLeast, atMost } = promisesOf(engine);
  return [
    atLeast('create, speed of the floor', speed('create'), isSqlite ? 0.3 : 0.5),
    atLeast('retrieve, speed of the floor', speed('retrieve'), isSqlite ? 0.25 : 0.5),
    atMost('create, CPU of the floor', cpu('create'), isSqlite ? 3.08 : 2),
    atMost('retrieve, CPU of the floor', cpu('retrieve'), isSqlite ? 3.85 : 2),
    atMost('create, CPU with two workers of that with one', median(workersCpu.create), 1.15),
    atMost('retrieve, CPU with two workers of that with one', median(workersCpu.retrieve), 1.15),
    atMost('p99 of create, retrieve and mixed in ms', most('p99', ['create', 'retrieve', 'mixed']), 30),
    atMost('resident memory after all loads in MB', most('memory MB', Object.keys(service)), 220),
    atMost('failed requests', failed, 0),
  ];
}

/** Prints what was measured, beside the floor. */
export function show(engine, results) {
  console.log(`\n${engine}`);
  console.table(rows(results));
}

/** One row for each load and who carried it, those of one load together. */
export function rows({ floor, service, workers }) {
  return Object.entries(service).flatMap(([load, result]) => [
    { load, of: 'service', ...result, ratio: ratio(result, floor[load]) },
    ...(workers[load]
      ? [{ load, of: '2 workers', ...workers[load], ratio: ratio(workers[load], floor[load]) }]
      : []),
    ...(floor[load] ? [{ load, of: 'floor', ...floor[load], ratio: '1.00' }] : []),
  ]);
}

/** Of ratios measured one after the other, each within a round: the two sides of a ratio must have met the same machine. */
function median(ratios) {
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)];
}

function ratio(result, floor) {
  return floor ? (result['requests/s'] / floor['requests/s']).toFixed(2) : '–';
}
