import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { Log } from '../platform/logging/log.js';
import type { Job } from '../platform/scheduling/scheduled-work.js';
import { ScheduledWork } from '../platform/scheduling/scheduled-work.js';
import { Leases } from '../platform/database/leases.js';
import { FilePurgeService } from './file-purge.service.js';
import { OrphanSweep } from './orphan-sweep.js';

/** Removes files regularly. Links expire whether or not it has run. */
@Injectable()
export class FilesSchedule {
  constructor(
    private readonly filePurge: FilePurgeService,
    private readonly orphanSweep: OrphanSweep,
    private readonly leases: Leases,
    private readonly work: ScheduledWork,
    private readonly log: Log,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { waitForCompletion: true })
  purge(): Promise<void> {
    return this.run('file purge', 'filePurge', async (signal) => {
      const removed = await this.filePurge.purge(new Date(), signal);
      if (removed > 0) this.log.event('file purge', { removed });
    });
  }

  @Cron(CronExpression.EVERY_10_MINUTES, { waitForCompletion: true })
  sweepOrphans(): Promise<void> {
    return this.run('orphan sweep', 'orphanSweep', (signal) => this.orphanSweep.sweep(new Date(), signal));
  }

  private run(name: string, job: Job, remove: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const work = (signal: AbortSignal) =>
      this.leases.runIfFree(name, async () => {
        await remove(signal);
      });
    return this.work.run(`The ${name} failed; retrying at its next run`, work, job);
  }
}
