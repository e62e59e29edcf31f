import type { OnApplicationShutdown } from '@nestjs/common';
import type { Log } from '../logging/log.js';
import type { RedisAddress } from '../settings/server-addresses.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import { RateLimiter } from './rate-limiter.js';
import { RedisCounter } from './redis-counter.js';

const RECONNECT_MS = 1000;

/**
 * Counts in Redis, together with other processes, and in this process as well: its own count holds while Redis does
 * not answer. Then no request waits for Redis, and a new connection is tried in the background.
 */
export class RedisRateLimiter extends RateLimiter implements OnApplicationShutdown {
  private readonly own: MemoryRateLimiter;
  private redis?: RedisCounter;
  private isUnavailable = false;
  private isShutDown = false;
  private reconnect?: NodeJS.Timeout;

  private constructor(
    private readonly address: RedisAddress,
    private readonly windowMs: number,
    private readonly log: Log,
  ) {
    super();
    this.own = new MemoryRateLimiter(windowMs);
  }

  /** Resolves also when Redis does not answer: the service starts without it. */
  static async start(address: RedisAddress, windowMs: number, log: Log): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter(address, windowMs, log);
    await limiter.connect();
    return limiter;
  }

  async hit(key: string, limit: number): Promise<number> {
    const ownWait = this.own.hit(key, limit);
    if (ownWait > 0 || this.redis === undefined) return ownWait;
    return this.hitShared(this.redis, key, limit);
  }

  onApplicationShutdown(): void {
    this.isShutDown = true;
    clearTimeout(this.reconnect);
    this.redis?.close();
  }

  /** Where Redis does not answer, the request passes: its own count has admitted it. */
  private async hitShared(redis: RedisCounter, key: string, limit: number): Promise<number> {
    try {
      const { count, leftMs } = await redis.count(key, this.windowMs);
      return count > limit ? Math.max(1, leftMs) : 0;
    } catch (error) {
      if (redis === this.redis) this.disconnect(error); // otherwise another request has done so
      return 0;
    }
  }

  private async connect(): Promise<void> {
    try {
      const redis = await RedisCounter.connect(this.address);
      if (this.isShutDown) redis.close();
      else this.use(redis);
    } catch (error) {
      this.disconnect(error);
    }
  }

  private use(redis: RedisCounter): void {
    this.redis = redis;
    if (this.isUnavailable) this.log.warn('Redis counts again: processes count requests together');
    this.isUnavailable = false;
  }

  private disconnect(error: unknown): void {
    this.redis?.close();
    this.redis = undefined;
    if (this.isShutDown) return;
    if (!this.isUnavailable) {
      this.log.warn(
        `Redis does not count (${reasonOf(error)}): each process counts requests by itself until it does`,
      );
    }
    this.isUnavailable = true;
    this.reconnect = setTimeout(() => void this.connect(), RECONNECT_MS).unref();
  }
}

/** Never a whole message of Redis: it can quote the command that it refuses, with a password in it. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]+(?= )/.exec(message)?.[0] ?? 'no answer';
}
