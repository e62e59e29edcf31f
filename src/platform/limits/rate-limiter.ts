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

interface Window {
  count: number;
  endsAt: number;
}

/** This many windows take about 20 MB. A client with more addresses could not be limited by address anyway. */
const MAX_KEYS = 100_000;

/**
 * Counts in this process's memory, in two generations: after each time window, or when the recent generation is full,
 * the older one is dropped as a whole. So there are no timers, and memory is bounded for any number of keys (decision
 * 18).
 */
export class MemoryRateLimiter extends RateLimiter {
  private recent = new Map<string, Window>();
  private older = new Map<string, Window>();
  private recentSince = 0;

  constructor(
    private readonly windowMs: number,
    private readonly maxKeys = MAX_KEYS,
  ) {
    super();
  }

  /** How many keys have a count in memory. */
  get size(): number {
    return this.recent.size + this.older.size;
  }

  hit(key: string, limit: number, now = performance.now()): number {
    this.dropOlder(now);
    const window = this.recent.get(key) ?? this.older.get(key);
    if (window === undefined || window.endsAt <= now) {
      this.recent.set(key, { count: 1, endsAt: now + this.windowMs });
      return 0;
    }
    window.count += 1;
    return window.count > limit ? window.endsAt - now : 0;
  }

  private dropOlder(now: number): void {
    if (now - this.recentSince < this.windowMs && this.recent.size < this.maxKeys / 2) return;
    this.older = this.recent;
    this.recent = new Map();
    this.recentSince = now;
  }
}
