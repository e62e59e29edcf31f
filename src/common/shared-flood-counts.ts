import type { OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { RedisAddress } from '../settings/server-addresses.js';
import { FloodCounts, verdict } from './flood-counts.js';
import type { Log } from './log.js';
import { RedisCounter } from './redis-counter.js';

type Verdict = Awaited<ReturnType<ThrottlerStorage['increment']>>;

const RETRY_MS = 1000;

/**
 * Counts requests in Redis, together with other processes, and by itself as well: that is what holds while Redis does
 * not answer. Then nobody waits for it, and it is tried again in the background.
 */
export class SharedFloodCounts implements ThrottlerStorage, OnApplicationShutdown {
  private readonly own = new FloodCounts();
  private redis?: RedisCounter;
  private isMissed = false;
  private isOver = false;
  private retry?: NodeJS.Timeout;

  constructor(
    private readonly address: RedisAddress,
    private readonly log: Log,
  ) {}

  /** Resolves also when Redis does not answer: the service starts without it. */
  async start(): Promise<this> {
    await this.connect();
    return this;
  }

  async increment(address: string, windowMs: number, limit: number): Promise<Verdict> {
    const own = this.own.count(address, windowMs, limit);
    if (own.isBlocked) return own;
    const shared = await this.countShared(address, windowMs);
    return shared ? verdict(shared.count, limit, shared.leftMs) : own;
  }

  onApplicationShutdown(): void {
    this.isOver = true;
    clearTimeout(this.retry);
    this.redis?.close();
  }

  private async countShared(address: string, windowMs: number) {
    const { redis } = this;
    try {
      return await redis?.count(address, windowMs);
    } catch (error) {
      if (redis === this.redis) this.miss(error); // else another request has told already
      return undefined;
    }
  }

  private async connect(): Promise<void> {
    try {
      const redis = await RedisCounter.connect(this.address);
      if (this.isOver) {
        redis.close();
      } else {
        this.redis = redis;
        this.welcome();
      }
    } catch (error) {
      this.miss(error);
    }
  }

  private welcome(): void {
    if (this.isMissed) this.log.warn('Redis counts again: processes count requests together');
    this.isMissed = false;
  }

  private miss(error: unknown): void {
    this.redis?.close();
    this.redis = undefined;
    if (this.isOver) return;
    if (!this.isMissed) {
      this.log.warn(
        `Redis does not count (${reasonOf(error)}): each process counts requests by itself until it does`,
      );
    }
    this.isMissed = true;
    this.retry = setTimeout(() => void this.connect(), RETRY_MS).unref();
  }
}

/** Never a whole message of Redis: it can quote the command that it refuses, a password with it. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]+(?= )/.exec(message)?.[0] ?? 'no answer';
}
