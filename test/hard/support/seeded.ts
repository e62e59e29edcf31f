import type { Parameters } from 'fast-check';
import { amount } from './amount.js';

/** The number of runs of a property. A failure reports its seed and path: HARD_SEED and HARD_PATH repeat it. */
export function runs<T>(full: number, short: number): Parameters<T> {
  const { HARD_SEED, HARD_PATH } = process.env;
  return {
    numRuns: amount({ full, short }),
    ...(HARD_SEED && { seed: Number(HARD_SEED) }),
    ...(HARD_PATH && { path: HARD_PATH }),
  };
}
