import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../logging/log.js';

/** Attempts what the schedules want done. What is under way when the app closes ends at its next step, and is waited for. */
@Injectable()
export class ScheduledWork implements BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly underway = new Set<Promise<void>>();

  constructor(private readonly log: Log) {}

  /** Tells when it fails, with what follows from that. */
  async attempt(consequence: string, work: (stop: AbortSignal) => Promise<unknown>): Promise<void> {
    const { signal } = this.stop;
    if (signal.aborted) return;

    const attempt = work(signal).then(
      () => undefined,
      (error: unknown) => {
        this.log.failure(consequence, error);
      },
    );
    this.underway.add(attempt);
    await attempt;
    this.underway.delete(attempt);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.underway);
  }
}
