import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { Log } from '../../platform/logging/log.js';
import type { Job } from '../../platform/scheduling/scheduled-work.js';
import { ScheduledWork } from '../../platform/scheduling/scheduled-work.js';
import { eachDespiteErrors } from '../../platform/scheduling/each-despite-errors.js';
import { Leases } from '../../platform/database/leases.js';
import { FreePages } from '../../platform/database/free-pages.js';
import { WriteAheadLog } from '../../platform/database/sqlite/write-ahead-log.js';
import { ExpiryRunCompleted } from './expiry-run-completed.js';
import { PassphraseThrottle } from '../passphrase/passphrase-throttle.js';
import { OpenCodesService } from '../recipients/open-codes.service.js';
import { PushEvents } from '../push/push-events.js';
import { ExpiryService } from './expiry.service.js';
import { IdempotentCreationsService } from '../create/idempotent-creations.service.js';

/** Expires and removes rows every minute. Retrievals and lists are correct even before it has run. */
@Injectable()
export class ExpirySchedule {
  constructor(
    private readonly expiry: ExpiryService,
    private readonly attempts: PassphraseThrottle,
    private readonly codes: OpenCodesService,
    private readonly idempotentCreations: IdempotentCreationsService,
    private readonly leases: Leases,
    private readonly freePages: FreePages,
    private readonly writeAheadLog: WriteAheadLog,
    private readonly events: PushEvents,
    private readonly work: ScheduledWork,
    private readonly log: Log,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { waitForCompletion: true })
  async cleanUp(now = new Date()): Promise<void> {
    // one replica is enough
    await this.run((signal) => this.leases.runIfFree('expiry', () => this.sweep(now, signal)), 'expiry');
    await this.run(() => this.writeAheadLog.truncate());
  }

  private run(work: (signal: AbortSignal) => Promise<unknown>, job?: Job): Promise<void> {
    return this.work.run('The expiry job failed; retrying in a minute', work, job);
  }

  private async sweep(now: Date, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    let [expired, removed] = [0, 0];
    const steps = [
      async () => (expired = await this.expiry.expireOverdue(now, signal)),
      async () => (removed = await this.expiry.purge(now, signal)),
      () => this.attempts.deleteOld(now, signal),
      () => this.codes.deleteOld(now, signal),
      () => this.idempotentCreations.deleteOldKeys(now, signal),
    ];
    await eachDespiteErrors<() => Promise<unknown>>(steps, (step) => step());
    this.events.emit(new ExpiryRunCompleted(expired, removed, performance.now() - startedAt));
    if (expired + removed > 0) this.log.event('expiry', { expired, removed });
    await this.freePages.giveBack(signal);
  }
}
