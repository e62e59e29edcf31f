import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CronExpression } from '@nestjs/schedule';
import { LessThan, Repository } from 'typeorm';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { eachDespiteErrors } from '../../platform/scheduling/each-despite-errors.js';
import { Job } from '../../platform/scheduling/jobs.js';
import { Settings } from '../../platform/settings/settings.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { SecretRequestMails } from './secret-request-mails.js';
import { SecretRequestPassphraseThrottle } from './secret-request-passphrase-throttle.js';
import { SecretRequest } from './secret-request.entity.js';

/** Sends mails about answers that had to wait, and removes old requests. That one is closed is known without it. */
@Injectable()
export class SecretRequestsSchedule {
  constructor(
    @InjectRepository(SecretRequest) private readonly requests: Repository<SecretRequest>,
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly mails: SecretRequestMails,
    private readonly attempts: SecretRequestPassphraseThrottle,
  ) {}

  @Job({ name: 'requests', every: CronExpression.EVERY_MINUTE, isExclusive: true })
  cleanUp(now: Date, signal: AbortSignal): Promise<void> {
    const steps = [
      () => this.mails.addDueNotices(now, signal),
      () => this.attempts.deleteOld(now, signal),
      () => this.removeOld(now, signal),
    ];
    return eachDespiteErrors<() => Promise<unknown>>(steps, (step) => step());
  }

  /** Closed requests, as long after that as ended pushes are kept. Their answers have limits of their own. */
  private async removeOld(now: Date, signal: AbortSignal): Promise<void> {
    const { RETENTION_DAYS: days } = this.settings;
    if (days === undefined) return;
    const old = { openUntil: LessThan(new Date(now.getTime() - days * DAY_MS)) };
    await removeInBatches(this.unitOfWork, this.requests, old, signal);
  }
}
