import { RateLimiter } from './rate-limiter.js';

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
