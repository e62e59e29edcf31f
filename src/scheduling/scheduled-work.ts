import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../logging/log.js';

/** Runs scheduled jobs. When the app closes, jobs in progress are stopped after their current step and awaited. */
@Injectable()
export class ScheduledWork implements BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly inProgress = new Set<Promise<void>>();

  constructor(private readonly log: Log) {}

  /** Runs `work`; if it fails, logs the error with `consequence` as the message. */
  async attempt(consequence: string, work: (stop: AbortSignal) => Promise<unknown>): Promise<void> {
    const { signal } = this.stop;
    if (signal.aborted) return;

    const attempt = work(signal).then(
      () => undefined,
      (error: unknown) => {
        this.log.failure(consequence, error);
      },
    );
    this.inProgress.add(attempt);
    await attempt;
    this.inProgress.delete(attempt);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.inProgress);
  }
}
