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
export function mostAllowed(...quiet: number[][]): number {
  return Math.max(MOST_MS, ...quiet.map((times) => MOST_TIMES_QUIET * percentile(times, 99)));
}
