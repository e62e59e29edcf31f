import { amount } from './amount.js';
import type { CostlyRequest } from './costly-request.js';
import type { Cost, MeasuredServer } from './measured-server.js';

/** The real bound is 100 ms; test machines can be slow. */
export const LONGEST_MS = 300;
/** Short runs are concurrent, and so need more. */
export const TRIES = amount({ full: 3, short: 5 });

const LONGEST_OF_STRANGER_MS = 100;
const LONGEST_OF_ACCOUNT_MS = 150;

/** The longest time for which a single request may block the event loop. An account may send more in one. */
export function longestFor({ withToken, withSession }: CostlyRequest): number {
  return withToken || withSession ? LONGEST_OF_ACCOUNT_MS : LONGEST_OF_STRANGER_MS;
}

/** The lowest cost of a few tries: a busy machine makes some of them slow, a defect all of them. */
export async function leastCost(
  server: MeasuredServer,
  maxGrowth: number,
  act: () => Promise<unknown>,
  longestMs = LONGEST_MS,
): Promise<Cost> {
  const isLow = ({ longestWait, longestBlock, growth }: Cost) =>
    longestWait < longestMs && longestBlock < longestMs && growth < maxGrowth;

  let least = await server.costOf(act);
  for (let tries = 1; tries < TRIES && !isLow(least); tries++) {
    const cost = await server.costOf(act);
    least = {
      longestWait: Math.min(least.longestWait, cost.longestWait),
      longestBlock: Math.min(least.longestBlock, cost.longestBlock),
      growth: Math.min(least.growth, cost.growth),
      opened: Math.min(least.opened, cost.opened),
    };
  }
  return least;
}
