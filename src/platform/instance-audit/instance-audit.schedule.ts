import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { ScheduledWork } from '../scheduling/scheduled-work.js';
import { InstanceAudit } from './instance-audit.service.js';

/** Logs what commands have recorded, and removes old entries. */
@Injectable()
export class InstanceAuditSchedule {
  constructor(
    private readonly audit: InstanceAudit,
    private readonly work: ScheduledWork,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { waitForCompletion: true })
  logCommands(): Promise<void> {
    return this.work.run('Logging what commands did failed; retrying at the next run', (signal) =>
      this.audit.logCommands(signal),
    );
  }

  @Cron(CronExpression.EVERY_HOUR, { waitForCompletion: true })
  deleteOld(now = new Date()): Promise<void> {
    return this.work.run('Removing old entries of the audit log failed; retrying at the next run', (signal) =>
      this.audit.deleteOld(now, signal),
    );
  }
}
