import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { Log } from '../../platform/logging/log.js';
import { Job } from '../../platform/scheduling/jobs.js';
import { eachDespiteErrors } from '../../platform/scheduling/each-despite-errors.js';
import { Leases } from '../../platform/database/leases.js';
import { FreePages } from '../../platform/database/free-pages.js';
import { WriteAheadLog } from '../../platform/database/sqlite/write-ahead-log.js';
import { PassphraseThrottle } from '../passphrase/passphrase-throttle.js';
import { PushEvents } from '../push/push-events.js';
import { ExpiryService } from './expiry.service.js';

/** The expiry schedule has completed a run in this process. */
export class ExpiryRunCompleted {
  static readonly eventName = 'expiry.run-completed';
  readonly name = ExpiryRunCompleted.eventName;

  constructor(
    readonly expired: number,
    readonly removed: number,
    readonly milliseconds: number,
  ) {}
}

/** Expires and removes rows every minute. Retrievals and lists are correct even before it has run. */
@Injectable()
export class ExpirySchedule {
  constructor(
    private readonly expiry: ExpiryService,
    private readonly attempts: PassphraseThrottle,
    private readonly leases: Leases,
    private readonly freePages: FreePages,
    private readonly writeAheadLog: WriteAheadLog,
    private readonly events: PushEvents,
    private readonly log: Log,
  ) {}

  @Job({ name: 'expiry', every: CronExpression.EVERY_MINUTE, title: 'overview.expiry' })
  cleanUp(now: Date, signal: AbortSignal): Promise<void> {
    const steps = [
      () => this.leases.runIfFree('expiry', () => this.sweep(now, signal)), // one replica is enough
      async () => signal.aborted || this.writeAheadLog.truncate(),
    ];
    return eachDespiteErrors<() => Promise<unknown>>(steps, (step) => step());
  }

  private async sweep(now: Date, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    let [expired, removed] = [0, 0];
    const steps = [
      async () => (expired = await this.expiry.expireOverdue(now, signal)),
      async () => (removed = await this.expiry.purge(now, signal)),
      () => this.attempts.deleteOld(now, signal),
    ];
    await eachDespiteErrors<() => Promise<unknown>>(steps, (step) => step());
    this.events.emit(new ExpiryRunCompleted(expired, removed, performance.now() - startedAt));
    if (expired + removed > 0) this.log.event('expiry', { expired, removed });
    await this.freePages.giveBack(signal);
  }
}
