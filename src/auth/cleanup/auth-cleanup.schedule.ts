import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { contributedMethod, Contributions } from '../../platform/contributions/contributions.js';
import { eachDespiteErrors } from '../../platform/scheduling/each-despite-errors.js';
import { Job } from '../../platform/scheduling/jobs.js';

type Cleanup = (now: Date, signal: AbortSignal) => Promise<void>;

/**
 * On a method that removes rows which have ended, such as those of sessions, links and old counts. None of these has any
 * effect after its end, even if this never runs.
 */
export const AuthCleanup = contributedMethod<Cleanup>();

/** Calls the methods with `@AuthCleanup()`. */
@Injectable()
export class AuthCleanupSchedule {
  constructor(private readonly contributions: Contributions) {}

  @Job({ name: 'auth cleanup', every: CronExpression.EVERY_10_MINUTES, title: 'overview.authCleanup' })
  cleanUp(now: Date, signal: AbortSignal): Promise<void> {
    return eachDespiteErrors(this.contributions.all(AuthCleanup), (cleanup) => cleanup(now, signal));
  }
}
