import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { ScheduledWork } from '../../platform/scheduling/scheduled-work.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** Notices webhooks that other processes have added or removed. */
@Injectable()
export class SubscriptionsSchedule {
  constructor(
    private readonly subscriptions: SubscriptionsService,
    private readonly work: ScheduledWork,
  ) {}

  @Cron(CronExpression.EVERY_5_SECONDS, { waitForCompletion: true })
  refresh(): Promise<void> {
    return this.work.run('The webhooks could not be read; retrying in a few seconds', () =>
      this.subscriptions.refresh(),
    );
  }
}
