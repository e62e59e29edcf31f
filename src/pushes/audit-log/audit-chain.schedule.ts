import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { Leases } from '../../platform/database/leases.js';
import { ScheduledWork } from '../../platform/scheduling/scheduled-work.js';
import { AuditChainService } from './audit-chain.service.js';

/** Chains new audit entries every minute. */
@Injectable()
export class AuditChainSchedule {
  constructor(
    private readonly chain: AuditChainService,
    private readonly leases: Leases,
    private readonly work: ScheduledWork,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { waitForCompletion: true })
  async chainNew(): Promise<void> {
    await this.work.run(
      'Chaining audit entries failed; retrying in a minute',
      (signal) => this.leases.runIfFree('audit-chain', () => this.chain.chainNewEntries(signal)), // one is enough
      'auditChain',
    );
  }
}
