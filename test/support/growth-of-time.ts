const ROUNDS = 3;
const TIMES_LONGER = 8;
/** Time of the machine's own, which what is quick must not be judged by. */
const NOISE_US = 5000;

/**
 * How much more time input takes when it is in one piece than when it is in eight: about 1 where time grows with the
 * length, 8 where it grows with its square. It goes by the thread's own time, so that a busy machine changes little.
 * @param prepare makes input of so many bytes, which is not measured
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

  await timeOf(TIMES_LONGER); // so that it is compiled
  return (await timeOf(1)) / ((await timeOf(TIMES_LONGER)) + NOISE_US);
}

/** What `growthOfTime` stays below where time grows with the length. */
export const LINEAR = 4;
