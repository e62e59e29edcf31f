import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { ScheduledWork } from '../scheduling/scheduled-work.js';
import { SessionsService } from './sessions.service.js';
import { SignInThrottle } from './sign-in-throttle.js';

/** Removes rows of ended sessions and old sign-in attempts. Both lose their effect without it. */
@Injectable()
export class SessionsSchedule {
  constructor(
    private readonly sessions: SessionsService,
    private readonly throttle: SignInThrottle,
    private readonly work: ScheduledWork,
  ) {}

  @Cron(CronExpression.EVERY_10_MINUTES, { waitForCompletion: true })
  tidyUp(now = new Date()): Promise<void> {
    return this.work.attempt('Removing ended sessions failed; retrying at the next run', async (stop) => {
      await this.sessions.deleteEnded(now, stop);
      await this.throttle.deleteOld(now, stop);
    });
  }
}
