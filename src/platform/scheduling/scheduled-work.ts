import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../logging/log.js';
import { SECOND_MS } from '../settings/units.js';

/** The jobs whose runs are remembered. */
export const JOBS = ['expiry', 'filePurge', 'orphanSweep', 'authCleanup', 'outbox', 'auditChain'] as const;

export type Job = (typeof JOBS)[number];

/** When a job last ended in this process: as it should, and with an error. */
export interface JobRuns {
  succeededAt?: Date;
  failedAt?: Date;
}

/** How long a job in progress may delay the shutdown: one that waits for a database that does not respond is abandoned. */
const GRACE_MS = 5 * SECOND_MS;

/** Runs scheduled jobs. When the app closes, jobs in progress are stopped after their current step and awaited. */
@Injectable()
export class ScheduledWork implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly inProgress = new Set<Promise<void>>();
  private readonly runs = new Map<Job, JobRuns>();
  private isAbandoned = false;

  constructor(private readonly log: Log) {}

  runsOf(job: Job): JobRuns {
    return this.runs.get(job) ?? {};
  }

  /** Runs `work`; if it fails, logs the error with `failureMessage`. Remembers when `job` has run. */
  async run(
    failureMessage: string,
    work: (signal: AbortSignal) => Promise<unknown>,
    job?: Job,
  ): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;

    const attempt = work(signal).then(
      () => {
        this.remember(job, { succeededAt: new Date() });
      },
      (error: unknown) => {
        this.remember(job, { failedAt: new Date() });
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

  private remember(job: Job | undefined, run: JobRuns): void {
    if (job !== undefined) this.runs.set(job, { ...this.runsOf(job), ...run });
  }
}
