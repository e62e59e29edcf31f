import { HOUR_MS } from '../settings/units.js';
import { MAX_RETRY_DELAY_MS, retryDelay } from './outbox-message.entity.js';

/** Destinations to which nothing has been sent for so long, such as deleted webhooks, take no memory. */
const FORGOTTEN_AFTER_MS = HOUR_MS;

/** How a destination has been failing since it last worked. */
interface Failure {
  since: Date;
  attempts: number;
  /** The error of the last attempt, as a code. */
  code: string;
  retryAt: number;
}

/** Destinations that fail whatever the message: their messages wait, instead of failing one after the other. */
export class FailingDestinations {
  private readonly failures = new Map<string, Failure>();

  /** Those to which nothing is sent at this time. */
  pausedAt(now: Date): string[] {
    return [...this.failures.keys()].filter((destination) => this.isPaused(destination, now));
  }

  isPaused(destination: string, now: Date): boolean {
    const wait = (this.failures.get(destination)?.retryAt ?? 0) - now.getTime();
    return wait > 0 && wait <= MAX_RETRY_DELAY_MS; // a longer one is of a clock that was ahead
  }

  /** Returns whether this is news: the destination worked before, or failed with another error. */
  recordFailure(destination: string, code: string, now: Date): boolean {
    const before = this.failures.get(destination);
    const { since = now, attempts = 0 } = before ?? {};
    const retryAt = now.getTime() + retryDelay(attempts + 1, Math.random());
    this.failures.set(destination, { since, attempts: attempts + 1, code, retryAt });
    for (const [name, failure] of this.failures)
      if (failure.retryAt < now.getTime() - FORGOTTEN_AFTER_MS) this.failures.delete(name);
    return before?.code !== code;
  }

  /** Returns how the destination had been failing, if it had. */
  recordSuccess(destination: string): Failure | undefined {
    const failure = this.failures.get(destination);
    this.failures.delete(destination);
    return failure;
  }
}
