// Compares a measured value with the bound of a criterion.

export function criteriaOf(engine) {
  const compared = (criterion, measured, target, isMet) => ({
    engine,
    criterion,
    target,
    measured: Number(measured.toFixed(2)),
    result: isMet ? 'pass' : 'FAIL',
  });
  return {
    atLeast: (criterion, measured, bound) =>
      compared(criterion, measured, `at least ${bound}`, measured >= bound),
    atMost: (criterion, measured, bound) =>
      compared(criterion, measured, `at most ${bound}`, measured <= bound),
  };
}

/** Why a criterion is missed, for those that have been. */
const REASONS = [
  [
    /CPU with two workers relative to one$/,
    'each commit of two workers holds fewer requests, and each of them has a compiler, a garbage collector and, on SQLite, pages of its own to read again',
  ],
  [
    /^create, requests\/s relative to the baseline$/,
    'both wait for the same server, which keeps eight indexes of a push and four of an audit entry for the service, two and one for the baseline',
  ],
  [
    /^create, requests\/s relative to an empty database$/,
    'tokens are random, so in a large database each create writes other pages of the indexes, all of which are moved to the disk in the end; the CPU time is that of an empty one',
  ],
  [
    /^send messages, increase of the p99/,
    'it was measured with up to 32 messages at the same time, each with two transactions, for which other writes waited; there are at most four transactions at a time since',
  ],
  [
    /longest turn of the event loop|longest time of other requests/,
    'it is the longest of thousands of batches, and one takes longer when its commit has to wait for the disk',
  ],
];

/** A sentence for each criterion that was missed. */
export function reasonsFor(results) {
  return results
    .filter(({ result }) => result === 'FAIL')
    .map(({ criterion }) => {
      const [, reason = 'not explained yet'] = REASONS.find(([pattern]) => pattern.test(criterion)) ?? [];
      return `- ${criterion}: ${reason}.`;
    });
}
