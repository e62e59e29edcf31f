import type { Problem } from '../errors/problem.js';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import type { CountedNetwork } from '../http/visitor.js';

/** A number of requests a minute, counted under a separate name, and how one beyond it is rejected. */
export interface Allowance {
  name: string;
  limit: number;
  problem: Problem;
}

/** Limits the requests of each key in a time window that begins with the key's first request. */
export abstract class RateLimiter {
  /**
   * Counts a request; each window allows `limit` of them. Returns for how many milliseconds the client has to wait, 0
   * when the request is allowed.
   */
  abstract hit(key: string, limit: number): number | Promise<number>;

  /**
   * Counts a request of a client for each network that it is in. A larger network counts only requests within the limit
   * of the smaller ones, so that one client cannot use it up.
   * @throws TooManyRequests
   */
  admit(allowance: Allowance, [smallest, ...larger]: CountedNetwork[]): true | Promise<true> {
    if (!smallest) return true;
    const admitted = (waitMs: number) => {
      if (waitMs > 0) throw new TooManyRequests('requests', allowance.problem, waitMs);
      return this.admit(allowance, larger);
    };
    const waitMs = this.hit(allowance.name + smallest.network, allowance.limit * smallest.factor);
    return typeof waitMs === 'number' ? admitted(waitMs) : waitMs.then(admitted);
  }

  /**
   * Counts a request of an account.
   * @throws TooManyRequests
   */
  admitAccount(allowance: Allowance, userId: string): true | Promise<true> {
    return this.admit(allowance, [{ network: userId, factor: 1 }]);
  }
}
