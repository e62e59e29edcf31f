// The bounds of what a request allocates. They are the same on every machine.
import { criteriaOf } from './criteria.mjs';

const ALLOCATED_BYTES = {
  create: 80_000,
  retrieve: 55_000,
  'end-to-end create': 80_000,
  'end-to-end retrieve': 55_000,
};

export const PROFILED = Object.keys(ALLOCATED_BYTES);

/** Each criterion with what was measured. */
export function profileResults(engine, profile) {
  return Object.entries(ALLOCATED_BYTES).map(([load, bound]) =>
    criteriaOf(engine).atMost(
      `${load}, bytes allocated, with chaining its audit entries`,
      profile[load].total.bytes,
      bound,
    ),
  );
}
