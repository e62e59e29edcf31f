import type { OnApplicationShutdown } from '@nestjs/common';
import type { Log } from '../logging/log.js';
import { OutageLog } from '../logging/log.js';
import type { RedisAddress } from '../settings/server-addresses.js';
import { MemoryRateLimiter, RateLimiter } from './rate-limiter.js';
import { invalidReply, RedisCounter } from './redis-counter.js';

/** A count of so many limits cannot be true: each process counts only requests within its own limit. */
const MAX_LIMITS = 1000;

const RECONNECT_MS = 1000;

/**
 * Counts in Redis, together with other processes, and in this process too: its own count is used while Redis does not
 * respond. Then no request waits for Redis, and a new connection is tried in the background.
 */
export class RedisRateLimiter extends RateLimiter implements OnApplicationShutdown {
  private readonly own: MemoryRateLimiter;
  private redis?: RedisCounter;
  private readonly outage: OutageLog;
  private isShutDown = false;
  private reconnect?: NodeJS.Timeout;

  private constructor(
    private readonly address: RedisAddress,
    private readonly windowMs: number,
    log: Log,
  ) {
    super();
    this.own = new MemoryRateLimiter(windowMs);
    this.outage = new OutageLog(log, {
      begins: 'Redis does not count: each process counts requests by itself until it does',
      ends: 'Redis is available again: processes count requests together',
      reasonOf,
    });
  }

  /** Also resolves when Redis does not respond: the service starts without it. */
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

  /** If Redis does not respond, the request is allowed: it is within the count of this process. */
  private async hitShared(redis: RedisCounter, key: string, limit: number): Promise<number> {
    try {
      const { count, leftMs } = await redis.count(key, this.windowMs);
      if (count > MAX_LIMITS * limit) throw invalidReply();
      return count > limit ? Math.max(1, leftMs) : 0;
    } catch (error) {
      if (redis === this.redis) this.disconnect(error); // otherwise another request has already disconnected
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
    this.outage.worked();
  }

  private disconnect(error: unknown): void {
    this.redis?.close();
    this.redis = undefined;
    if (this.isShutDown) return;
    this.outage.failed(error);
    this.reconnect = setTimeout(() => void this.connect(), RECONNECT_MS).unref();
  }
}

/** The reason of an error, but never the whole message from Redis: it can quote a rejected command with a password. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]+(?= )/.exec(message)?.[0] ?? 'no reply';
}
