import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../logging/log.js';
import { SECOND_MS } from '../settings/units.js';

/** How long a job in progress may delay the shutdown: one that waits for a database that does not respond is abandoned. */
const GRACE_MS = 5 * SECOND_MS;

/** Runs scheduled jobs. When the app closes, jobs in progress are stopped after their current step and awaited. */
@Injectable()
export class ScheduledWork implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly inProgress = new Set<Promise<void>>();
  private isAbandoned = false;

  constructor(private readonly log: Log) {}

  /** Runs `work`; if it fails, logs the error with `failureMessage`. */
  async run(failureMessage: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;

    const attempt = work(signal).then(
      () => undefined,
      (error: unknown) => {
        if (!this.isAbandoned) this.log.failure(failureMessage, error);
      },
    );
    this.inProgress.add(attempt);
    await attempt;
    this.inProgress.delete(attempt);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, GRACE_MS)));
    await Promise.race([Promise.all(this.inProgress), grace]);
    clearTimeout(timer);
    this.isAbandoned = true;
  }
}
