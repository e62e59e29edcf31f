import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { Log } from '../common/log.js';
import { Leases } from '../database/leases.js';
import { FilePurgeService } from './file-purge.service.js';

/** Removes bytes in time. Links end on their own, whether it has run or not. */
@Injectable()
export class FilesSchedule {
  constructor(
    private readonly filePurge: FilePurgeService,
    private readonly leases: Leases,
    private readonly log: Log,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { waitForCompletion: true })
  purge(): Promise<void> {
    return this.attempt('file purge', () => this.filePurge.purge());
  }

  @Cron(CronExpression.EVERY_10_MINUTES, { waitForCompletion: true })
  sweepOrphans(): Promise<void> {
    return this.attempt('orphan sweep', () => this.filePurge.sweepOrphans());
  }

  private async attempt(name: string, work: () => Promise<number>): Promise<void> {
    try {
      await this.leases.tryHold(name, async () => {
        const removed = await work();
        if (removed > 0) this.log.event(name, { removed });
      });
    } catch (error) {
      this.log.failure(`The ${name} will be tried again`, error);
    }
  }
}
