import { HOUR_MS } from '../settings/units.js';
import { retryDelay } from './outbox-message.entity.js';

/** Destinations to which nothing has been sent for so long, such as deleted webhooks, take no memory. */
const FORGOTTEN_AFTER_MS = HOUR_MS;

interface Failure {
  attempts: number;
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
    return (this.failures.get(destination)?.retryAt ?? 0) > now.getTime();
  }

  /** Returns how many attempts in a row have failed. */
  recordFailure(destination: string, now: Date): number {
    const attempts = (this.failures.get(destination)?.attempts ?? 0) + 1;
    const retryAt = now.getTime() + retryDelay(attempts, Math.random());
    this.failures.set(destination, { attempts, retryAt });
    for (const [name, failure] of this.failures)
      if (failure.retryAt < now.getTime() - FORGOTTEN_AFTER_MS) this.failures.delete(name);
    return attempts;
  }

  delete(destination: string): void {
    this.failures.delete(destination);
  }
}
