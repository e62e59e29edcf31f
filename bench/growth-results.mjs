// The criteria for a large database.
import { criteriaOf } from './criteria.mjs';

const MAX_MORE_CPU = 1.2;
const LEAST_SPEED = 0.8;
const MAX_MORE_CPU_FOR_OLD = 2.5;
const LEAST_SPEED_FOR_OLD = 0.25;
const LONGEST_PAGE_MS = 50;
const LONGEST_UNIT_MS = 50;
const LONGEST_DELAY_MS = 50;
const MAX_GROWTH_MB = 100;

/** Each criterion with what was measured. */
export function growthResults(engine, { requests, 'pages ms': pages, expire, purge }) {
  const { atLeast, atMost } = criteriaOf(engine);
  const ratio = (load, field) => requests.grown[load][field] / requests.empty[load][field];
  const ofOld = (field) => requests.grown['retrieve old'][field] / requests.empty.retrieve[field];

  return [
    ...['create', 'retrieve'].flatMap((load) => {
      const cpu = ratio(load, 'CPU µs');
      const speed = ratio(load, 'requests/s');
      return [
        atMost(`${load}, CPU relative to an empty database`, cpu, MAX_MORE_CPU),
        atLeast(`${load}, requests/s relative to an empty database`, speed, LEAST_SPEED),
      ];
    }),
    atMost('retrieve old, CPU relative to an empty database', ofOld('CPU µs'), MAX_MORE_CPU_FOR_OLD),
    atLeast(
      'retrieve old, requests/s relative to an empty database',
      ofOld('requests/s'),
      LEAST_SPEED_FOR_OLD,
    ),
    ...Object.entries(pages).map(([page, ms]) => atMost(`page ${page}, ms`, ms, LONGEST_PAGE_MS)),
    ...Object.entries({ expire, purge }).flatMap(([act, result]) => [
      atMost(`${act}, growth of memory in MB`, result['growth MB'], MAX_GROWTH_MB),
      atMost(`${act}, p99 of units in ms`, result['unit p99 ms'], LONGEST_UNIT_MS),
      atMost(
        `${act}, increase of the p99 of other requests in ms`,
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
