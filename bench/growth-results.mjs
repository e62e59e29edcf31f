// The criteria for a large database.
import { criteriaOf } from './criteria.mjs';

const MAX_MORE_CPU = 1.2;
const LEAST_SPEED = 0.8;
const MAX_MORE_CPU_FOR_OLD = 2.5;
const LEAST_SPEED_FOR_OLD = 0.25;
const LONGEST_LIST_MS = 20;
const LONGEST_SEARCH_MS = 200;
const LONGEST_LIST_LOOP_MS = 20;
const LONGEST_UNIT_MS = 50;
const LONGEST_LOOP_MS = 50;
const LONGEST_DELAY_MS = 50;
const LONGEST_WAIT_MS = 100;
const MAX_GROWTH_MB = 100;

/** Each criterion with what was measured. */
export function growthResults(engine, { requests, jobs, commands, ...figures }) {
  const { 'lists ms': lists, 'lists, loop max ms': listsLoopMax } = figures;
  const { atLeast, atMost } = criteriaOf(engine);
  const ratio = (load, field) => requests.grown[load][field] / requests.empty[load][field];
  const ofOld = (field) => requests.grown['retrieve old'][field] / requests.empty.retrieve[field];
  const delay = (act, result) =>
    atMost(
      `${act}, increase of the p99 of other requests in ms`,
      result['others p99 ms'] - result['others p99 calm ms'],
      LONGEST_DELAY_MS,
    );

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
    ...Object.entries(lists.grown).map(([list, ms]) =>
      atMost(
        `${list}, ms`,
        ms,
        list.startsWith('search') ? LONGEST_SEARCH_MS : Math.max(LONGEST_LIST_MS, 2 * lists.empty[list]),
      ),
    ),
    atMost('lists and searches, longest turn of the event loop in ms', listsLoopMax, LONGEST_LIST_LOOP_MS),
    ...Object.entries(jobs).flatMap(([job, result]) => [
      atMost(`${job}, growth of memory in MB`, result['growth MB'], MAX_GROWTH_MB),
      ...(engine === 'sqlite' // elsewhere others do not wait for a unit
        ? [atMost(`${job}, p99 of units in ms`, result['unit p99 ms'], LONGEST_UNIT_MS)]
        : []),
      atMost(`${job}, longest turn of the event loop in ms`, result['loop max ms'], LONGEST_LOOP_MS),
      delay(job, result),
    ]),
    ...Object.entries(commands).flatMap(([command, result]) => [
      delay(command, result),
      atMost(
        `${command}, longest time of other requests in ms`,
        result['others max ms'],
        Math.max(LONGEST_WAIT_MS, 2 * result['others max calm ms']),
      ),
    ]),
    atMost(
      'failed requests',
      [
        ...Object.values(requests).flatMap(Object.values),
        ...Object.values(jobs),
        ...Object.values(commands),
      ].reduce((sum, { failed }) => sum + failed, 0),
      0,
    ),
  ];
}
