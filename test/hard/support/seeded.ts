import { randomInt } from 'node:crypto';
import type { Parameters, Plugin } from 'fast-check';
import { interruptAfterTimeLimit } from 'fast-check';
import { SECOND_MS } from '../../../src/platform/settings/units.js';
import { amount } from './amount.js';

/** How long a property is tested before a merge, however many runs that allows. */
const MERGE_SECONDS = 30;

/** The runs of a property, with a seed that is printed. HARD_SEED repeats them, with HARD_PATH only one that failed. */
export function runs<T>(full: number, short: number): Parameters<T> {
  const { HARD, HARD_SEED, HARD_PATH } = process.env;
  const seed = Number(HARD_SEED ?? randomInt(2 ** 31));
  process.stderr.write(`HARD_SEED=${seed}: ${expect.getState().currentTestName}\n`);
  return {
    seed,
    ...(HARD_PATH && { path: HARD_PATH }),
    ...(HARD === 'merge'
      ? { numRuns: full, plugins: [interruptAfterTimeLimit(MERGE_SECONDS * SECOND_MS) as Plugin<T>] }
      : { numRuns: amount({ full, short }) }),
  };
}
