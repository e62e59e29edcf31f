import { amount } from './amount.js';
import { tell } from './tell.js';

/** Does something again and again, one after another, until told to stop; gives back how long each took, in milliseconds. */
export async function paceOf(act: () => Promise<void>, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** The time within which so many in a hundred were done. */
export function percentile(times: number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

const MOST_MS = 250;
const MOST_TIMES_QUIET = 5;

/** How long 99 in 100 may take in a hardship. A machine that is busy with other things is slow without any, too. */
export function mostAllowed(quiet: number[]): number {
  return Math.max(MOST_MS, MOST_TIMES_QUIET * percentile(quiet, 99));
}

/** The short forms run beside each other. */
const MOST_LOOKS = amount({ full: 3, short: 5 });

/** What the best of a few looks saw: the machine's own pauses come and go, those that a hardship makes stay. */
export async function bestLook(look: () => Promise<number[]>, most: number): Promise<number[]> {
  let best = await look();
  for (let looks = 1; looks < MOST_LOOKS && percentile(best, 99) >= most; looks++) {
    tell({ p99: percentile(best, 99), most, then: 'looks again' });
    const next = await look();
    if (percentile(next, 99) < percentile(best, 99)) best = next;
  }
  return best;
}
