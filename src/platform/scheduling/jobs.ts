import type { OnApplicationBootstrap, OnModuleInit, BeforeApplicationShutdown } from '@nestjs/common';
import { Injectable, Optional } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import type { TextKey } from '../../texts/text-parameters.js';
import type { Contribution } from '../contributions/contributions.js';
import { contributedMethod, Contributions, keyed } from '../contributions/contributions.js';
import { Leases } from '../database/leases.js';
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

/** @param signal aborted when the app closes; the method then ends after its current step */
type JobMethod = (now: Date, signal: AbortSignal) => Promise<unknown>;

interface JobOptions {
  /** Unique in the app. It is in the log when the job fails. */
  name: string;
  /** A cron expression, with seconds, such as those of `CronExpression`. */
  every: string;
  /** The text that names the job on the page of administrators, which shows when those with a title have run. */
  title?: TextKey;
  /** Whether one process at a time is enough: it runs under a lease with the name of the job. */
  isExclusive?: boolean;
  /** Whether it runs although its previous run has not ended. */
  mayOverlap?: boolean;
}

/** When a job last ended in this process: as it should, and with an error. */
interface JobRuns {
  succeededAt?: Date;
  failedAt?: Date;
}

/** The last runs of a job that has a title. */
export type TitledJob = Required<Pick<JobOptions, 'title'>> & JobRuns;

type RegisteredJob = Contribution<JobMethod, JobOptions>;

/** Runs a method of a provider regularly in each process of the service, but not in commands. */
export const Job = contributedMethod<JobMethod, JobOptions>();

/** The jobs of all modules. */
@Injectable()
export class Jobs implements OnModuleInit, OnApplicationBootstrap {
  private jobs: ReadonlyMap<string, RegisteredJob> = new Map();
  private readonly runs = new Map<string, JobRuns>();

  constructor(
    private readonly contributions: Contributions,
    private readonly leases: Leases,
    private readonly work: ScheduledWork,
    @Optional() private readonly registry?: SchedulerRegistry,
  ) {}

  onModuleInit(): void {
    if (this.registry) this.jobs = keyed(this.contributions.methods(Job), ({ name }) => name);
  }

  onApplicationBootstrap(): void {
    for (const [name, { argument }] of this.jobs) {
      const { every: cronTime, mayOverlap } = argument;
      const onTick = () => this.run(name);
      const job = CronJob.from({ cronTime, onTick, waitForCompletion: !mayOverlap, start: true });
      this.registry?.addCronJob(name, job);
    }
  }

  /** Runs a job now. An error is logged, as are those of its regular runs. */
  async run(name: string, now = new Date()): Promise<void> {
    const job = this.jobs.get(name);
    if (!job) throw new Error(`There is no job "${name}".`);
    const { contributed, argument } = job;
    const runOnce = (signal: AbortSignal) =>
      argument.isExclusive
        ? this.leases.runIfFree(name, async () => void (await contributed(now, signal)))
        : contributed(now, signal);
    await this.work.run(`The job "${name}" failed; retrying at its next run`, async (signal) => {
      try {
        await runOnce(signal);
        this.remember(name, { succeededAt: new Date() });
      } catch (error) {
        this.remember(name, { failedAt: new Date() });
        throw error;
      }
    });
  }

  /** Those with a title, in the order of its key. */
  titled(): TitledJob[] {
    return [...this.jobs.values()]
      .flatMap(({ argument: { name, title } }) =>
        title === undefined ? [] : [{ title, ...this.runs.get(name) }],
      )
      .sort((one, other) => (one.title < other.title ? -1 : 1));
  }

  private remember(name: string, run: JobRuns): void {
    this.runs.set(name, { ...this.runs.get(name), ...run });
  }
}
