// The bounds of what a request allocates. They are the same on every machine.
import { criteriaOf } from './criteria.mjs';

const ALLOCATED_BYTES = { create: 80_000, retrieve: 55_000 };
const OF_PLAIN = 1.15; // a push that is encrypted end to end, relative to a plain one

export const PROFILED = [
  ...Object.keys(ALLOCATED_BYTES),
  ...Object.keys(ALLOCATED_BYTES).map((load) => `end-to-end ${load}`),
];

/** Each criterion with what was measured. */
export function profileResults(engine, profile) {
  const { atMost } = criteriaOf(engine);
  const what = 'bytes allocated, with chaining its audit entries';
  return Object.entries(ALLOCATED_BYTES).flatMap(([load, bound]) => {
    const plain = profile[load].total.bytes;
    const endToEnd = profile[`end-to-end ${load}`].total.bytes;
    return [
      atMost(`${load}, ${what}`, plain, bound),
      atMost(`end-to-end ${load}, ${what}, relative to a plain one`, endToEnd / plain, OF_PLAIN),
    ];
  });
}
