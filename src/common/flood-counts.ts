import type { ThrottlerStorage } from '@nestjs/throttler';

type Verdict = Awaited<ReturnType<ThrottlerStorage['increment']>>;

interface Window {
  count: number;
  endsAt: number;
}

/** So many windows take some 20 MB. Whoever commands more addresses is not slowed down by counting them. */
const MOST_ADDRESSES = 100_000;

/**
 * Counts requests in this process's memory: so many in a window of time, which begins with an address's first.
 * Addresses are forgotten all at once, after two windows at the latest and earlier when there are too many.
 */
export class FloodCounts implements ThrottlerStorage {
  private recent = new Map<string, Window>();
  private older = new Map<string, Window>();
  private recentSince = 0;

  constructor(private readonly mostAddresses = MOST_ADDRESSES) {}

  /** How many addresses are remembered. */
  get size(): number {
    return this.recent.size + this.older.size;
  }

  increment(address: string, windowMs: number, limit: number): Promise<Verdict> {
    return Promise.resolve(this.count(address, windowMs, limit));
  }

  count(address: string, windowMs: number, limit: number, now = performance.now()): Verdict {
    this.forget(windowMs, now);
    const window = this.recent.get(address) ?? this.older.get(address);
    if (window && window.endsAt > now) {
      window.count += 1;
      return verdict(window.count, limit, window.endsAt - now);
    } else {
      this.recent.set(address, { count: 1, endsAt: now + windowMs });
      return verdict(1, limit, windowMs);
    }
  }

  private forget(windowMs: number, now: number): void {
    if (now - this.recentSince < windowMs && this.recent.size < this.mostAddresses / 2) return;
    this.older = this.recent;
    this.recent = new Map();
    this.recentSince = now;
  }
}

/** What the guard is told of a request: it is the so-many-th of its window, which ends in so many milliseconds. */
export function verdict(totalHits: number, limit: number, leftMs: number): Verdict {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return { totalHits, timeToExpire: seconds, isBlocked: totalHits > limit, timeToBlockExpire: seconds };
}
