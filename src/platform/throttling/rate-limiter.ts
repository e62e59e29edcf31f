import type { CountedNetwork } from '../http/visitor.js';

/** Limits the requests of each key in a time window that begins with the key's first request. */
export abstract class RateLimiter {
  /**
   * Counts a request; each window allows `limit` of them. Returns for how many milliseconds the client has to wait, 0
   * when the request is allowed.
   */
  abstract hit(key: string, limit: number): number | Promise<number>;
}

/** A number of requests a minute, counted under a separate name. */
export interface Allowance {
  name: string;
  limit: number;
}

/**
 * Counts a request of a client for each network that it is in; returns what `hit` does. A larger network counts only
 * requests within the limit of the smaller ones, so that one client cannot use it up.
 */
export function hitNetworks(
  limiter: RateLimiter,
  allowance: Allowance,
  [smallest, ...larger]: CountedNetwork[],
): number | Promise<number> {
  if (!smallest) return 0;
  const waitMs = limiter.hit(allowance.name + smallest.network, allowance.limit * smallest.factor);
  if (larger.length === 0) return waitMs;
  const orLarger = (wait: number) => (wait > 0 ? wait : hitNetworks(limiter, allowance, larger));
  return typeof waitMs === 'number' ? orLarger(waitMs) : waitMs.then(orLarger);
}
