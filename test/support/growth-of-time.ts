import { scryptSync } from 'node:crypto';

const ROUNDS = 3;
const ATTEMPTS = 3;
const TIMES_LONGER = 8;
/** Measurement noise, which would distort the ratio for fast work. */
const NOISE_US = 5000;

/**
 * How much more time input takes in one piece than in eight pieces: about 1 where time is linear in the length, 8 where
 * it is quadratic. It measures the thread's CPU time, so that a busy machine changes little, and again when the result is
 * not that of linear time: other processes share the caches, and quadratic time stays quadratic.
 * @param prepare creates input of that many bytes; its time is not measured
 */
export async function growthOfTime<T>(
  bytes: number,
  prepare: (bytes: number) => T,
  work: (input: T) => unknown,
): Promise<number> {
  const timeOf = async (count: number) => {
    let shortest = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const inputs = Array.from({ length: count }, () => prepare(bytes / count));
      const start = process.threadCpuUsage();
      for (const input of inputs) await work(input);
      shortest = Math.min(shortest, process.threadCpuUsage(start).user);
    }
    return shortest;
  };

  await timeOf(TIMES_LONGER); // warm-up, so that the code is compiled
  let growth = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && growth >= LINEAR; attempt++)
    growth = Math.min(growth, (await timeOf(1)) / ((await timeOf(TIMES_LONGER)) + NOISE_US));
  return growth;
}

/** `growthOfTime` stays below this where time is linear in the length. */
export const LINEAR = 4;

/**
 * How long the work takes, as a multiple of a fixed amount of work, which says the same on a machine of any speed. The
 * unit is one scrypt with the default cost, about 20 ms of a fast core. The shortest of several runs counts, because
 * other processes only make a run longer.
 */
export function timeInScrypts(work: () => unknown): number {
  const shortest = (repeated: () => unknown) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      repeated();
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  return shortest(work) / shortest(() => scryptSync('', '', 64));
}
