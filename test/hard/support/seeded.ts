import type { Parameters } from 'fast-check';
import { amount } from './amount.js';

/** How many runs of a property. What fails tells its seed and path: HARD_SEED and HARD_PATH ask for it again. */
export function runs<T>(full: number, short: number): Parameters<T> {
  const { HARD_SEED, HARD_PATH } = process.env;
  return {
    numRuns: amount({ full, short }),
    ...(HARD_SEED && { seed: Number(HARD_SEED) }),
    ...(HARD_PATH && { path: HARD_PATH }),
  };
}
