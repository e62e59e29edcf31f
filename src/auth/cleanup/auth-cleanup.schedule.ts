import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { contributedMethod, Contributions } from '../../platform/contributions/contributions.js';
import { eachDespiteErrors } from '../../platform/scheduling/each-despite-errors.js';
import { ScheduledWork } from '../../platform/scheduling/scheduled-work.js';

type Cleanup = (now: Date, signal: AbortSignal) => Promise<void>;

/**
 * On a method that removes rows which have ended, such as those of sessions, links and old counts. None of these has any
 * effect after its end, even if this never runs.
 */
export const AuthCleanup = contributedMethod<Cleanup>();

/** Calls the methods with `@AuthCleanup()` every ten minutes. */
@Injectable()
export class AuthCleanupSchedule implements OnModuleInit {
  private cleanups: readonly Cleanup[] = [];

  constructor(
    private readonly work: ScheduledWork,
    private readonly contributions: Contributions,
  ) {}

  onModuleInit(): void {
    this.cleanups = this.contributions.methods(AuthCleanup).map(({ contributed }) => contributed);
  }

  @Cron(CronExpression.EVERY_10_MINUTES, { waitForCompletion: true })
  cleanUp(now = new Date()): Promise<void> {
    return this.work.run(
      'Removing ended sessions and links failed; retrying at the next run',
      (signal) => eachDespiteErrors(this.cleanups, (cleanup) => cleanup(now, signal)),
      'authCleanup',
    );
  }
}
