import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../logging/log.js';

/** The jobs whose runs are remembered. */
export const JOBS = ['expiry', 'filePurge', 'orphanSweep', 'endedSessions', 'outbox', 'auditChain'] as const;

export type Job = (typeof JOBS)[number];

/** When a job last ended in this process: as it should, and with an error. */
export interface JobRuns {
  succeededAt?: Date;
  failedAt?: Date;
}

/** Runs scheduled jobs. When the app closes, jobs in progress are stopped after their current step and awaited. */
@Injectable()
export class ScheduledWork implements BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly inProgress = new Set<Promise<void>>();
  private readonly runs = new Map<Job, JobRuns>();

  constructor(private readonly log: Log) {}

  runsOf(job: Job): JobRuns {
    return this.runs.get(job) ?? {};
  }

  /** Runs `work`; if it fails, logs the error with `consequence` as the message. Remembers when `job` has run. */
  async attempt(
    consequence: string,
    work: (stop: AbortSignal) => Promise<unknown>,
    job?: Job,
  ): Promise<void> {
    const { signal } = this.stop;
    if (signal.aborted) return;

    const attempt = work(signal).then(
      () => {
        this.remember(job, { succeededAt: new Date() });
      },
      (error: unknown) => {
        this.remember(job, { failedAt: new Date() });
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

  private remember(job: Job | undefined, run: JobRuns): void {
    if (job !== undefined) this.runs.set(job, { ...this.runsOf(job), ...run });
  }
}
