import { amount } from './amount.js';
import { logFigures } from './log-figures.js';

/** Repeats an action sequentially until `isOver`; returns the duration of each run, in milliseconds. */
export async function paceOf(act: () => Promise<void>, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** The time within which `percent` percent of the runs finished. */
export function percentile(times: number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

const MAX_MS = 250;
const MAX_TIMES_QUIET = 5;

/** The allowed 99th percentile under load, relative to a quiet phase because a busy machine is slow even without load. */
export function maxAllowed(quiet: number[]): number {
  return Math.max(MAX_MS, MAX_TIMES_QUIET * percentile(quiet, 99));
}

/** Short runs are concurrent, and so need more looks. */
const MAX_LOOKS = amount({ full: 3, short: 5 });

/** The best of a few measurements: pauses of the machine itself vary, those caused by the load remain. */
export async function bestLook(look: () => Promise<number[]>, max: number): Promise<number[]> {
  let best = await look();
  for (let looks = 1; looks < MAX_LOOKS && percentile(best, 99) >= max; looks++) {
    logFigures({ p99: percentile(best, 99), max, then: 'looks again' });
    const next = await look();
    if (percentile(next, 99) < percentile(best, 99)) best = next;
  }
  return best;
}
