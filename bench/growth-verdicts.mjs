// What we hold ourselves to when a database has grown.
import { promisesOf } from './promises.mjs';

const MOST_MORE_CPU = 1.2;
const LEAST_SPEED = 0.8;
const MOST_MORE_CPU_FOR_OLD = 2.5;
const LEAST_SPEED_FOR_OLD = 0.25;
const LONGEST_PAGE_MS = 50;
const LONGEST_UNIT_MS = 50;
const LONGEST_DELAY_MS = 50;
const MOST_GROWTH_MB = 100;

/** Each promise with what was measured. */
export function growthVerdicts(engine, { requests, 'pages ms': pages, expire, purge }) {
  const { atLeast, atMost } = promisesOf(engine);
  const ratio = (load, field) => requests.grown[load][field] / requests.empty[load][field];
  const ofOld = (field) => requests.grown['retrieve old'][field] / requests.empty.retrieve[field];

  return [
    ...['create', 'retrieve'].flatMap((load) => {
      const cpu = ratio(load, 'CPU µs');
      const speed = ratio(load, 'requests/s');
      return [
        atMost(`${load}, CPU of an empty database`, cpu, MOST_MORE_CPU),
        atLeast(`${load}, speed of an empty database`, speed, LEAST_SPEED),
      ];
    }),
    atMost('retrieve old, CPU of an empty database', ofOld('CPU µs'), MOST_MORE_CPU_FOR_OLD),
    atLeast('retrieve old, speed of an empty database', ofOld('requests/s'), LEAST_SPEED_FOR_OLD),
    ...Object.entries(pages).map(([page, ms]) => atMost(`page ${page}, ms`, ms, LONGEST_PAGE_MS)),
    ...Object.entries({ expire, purge }).flatMap(([act, result]) => [
      atMost(`${act}, growth of memory in MB`, result['growth MB'], MOST_GROWTH_MB),
      atMost(`${act}, p99 of units in ms`, result['unit p99 ms'], LONGEST_UNIT_MS),
      atMost(
        `${act}, what it adds to the p99 of others in ms`,
        result['read p99 ms'] - result['read p99 calm ms'],
        LONGEST_DELAY_MS,
      ),
    ]),
    atMost(
      'failed requests',
      [...Object.values(requests).flatMap(Object.values), expire, purge].reduce(
        (sum, { failed }) => sum + failed,
        0,
      ),
      0,
    ),
  ];
}
