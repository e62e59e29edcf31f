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
    /^(create|retrieve), (requests\/s|p99) relative to the baseline$/,
    'both wait for the same server, which keeps eight indexes of a push and four of an audit entry for the service, two and one for the baseline; a batch takes that much longer',
  ],
  [
    /on own connection, requests\/s relative to the baseline$/,
    'where the processor and not the disk limits both, what the service does in addition counts more than that it commits many requests together',
  ],
  [
    /on own connection, requests\/s relative to kept connections$/,
    'to open and close a connection costs the process as much as a retrieval',
  ],
  [
    /^resident memory/,
    'it is largest during lists, when the rows of 50 lists are there at once, as packets of the driver and as objects',
  ],
  [
    /CPU relative to the minimal Nest app$/,
    'the minimal app has no rules, limits, log, audit of clients and keys of its own for each part of a push',
  ],
  [
    /^create, requests\/s relative to an empty database$/,
    'tokens are random, so in a large database each create writes other pages of the indexes, all of which are moved to the disk in the end; the CPU time is that of an empty one',
  ],
  [
    /^(API|dashboard).* 200, ms$/,
    'the 200 rows are in as many pages of a table that is larger than what the server keeps in memory',
  ],
  [
    /^send messages, increase of the p99/,
    'each message is two transactions, and requests that write wait for the disk together with them',
  ],
  [
    /^(audit:verify|audit:export|export|keys:rotate), |^remove messages, increase/,
    'it, the service and the load that measures the service share two cores',
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
