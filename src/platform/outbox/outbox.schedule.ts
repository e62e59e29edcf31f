import { Injectable, Optional } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CronExpression, SchedulerRegistry } from '@nestjs/schedule';
import { LessThanOrEqual, Repository } from 'typeorm';
import { removeInBatches } from '../database/remove-in-batches.js';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import { requestContext } from '../logging/log.js';
import { Job, ScheduledWork } from '../scheduling/jobs.js';
import { DAY_MS } from '../settings/units.js';
import type { DeliveryOutcome } from './outbox-message.entity.js';
import { OutboxMessage } from './outbox-message.entity.js';
import { OutboxSender } from './outbox-sender.js';

/** For how many days the rows of ended messages are kept; they have no content. */
const KEPT_DAYS: Record<DeliveryOutcome, number> = { delivered: 7, dropped: 7, failed: 30 };

/** Sends the messages of the outbox after each commit that adds some, and regularly for what must be attempted again. */
@Injectable()
export class OutboxSchedule {
  /** Those that `sendSoon` was called for in this turn of the event loop. */
  private readonly destinations = new Set<string>();

  constructor(
    @InjectRepository(OutboxMessage) private readonly messages: Repository<OutboxMessage>,
    private readonly sender: OutboxSender,
    private readonly unitOfWork: UnitOfWork,
    private readonly work: ScheduledWork,
    @Optional() private readonly schedules?: SchedulerRegistry,
  ) {}

  /**
   * Sends what is due to this destination, when the current turn of the event loop has ended. Commands, which have no
   * schedules and not all channels, leave it to the service.
   */
  sendSoon(destination: string): void {
    if (!this.schedules) return;
    const isScheduled = this.destinations.size > 0;
    this.destinations.add(destination);
    if (isScheduled) return;
    requestContext.exit(() =>
      setImmediate(() => {
        const destinations = [...this.destinations];
        this.destinations.clear();
        void this.work.run('Sending new messages failed; retrying in some seconds', (signal) =>
          this.sender.sendTo(destinations, signal),
        );
      }),
    );
  }

  /** Does not wait for the previous run: a slow destination must not delay the others. */
  @Job({
    name: 'outbox',
    every: CronExpression.EVERY_10_SECONDS,
    title: 'overview.outbox',
    mayOverlap: true,
  })
  sendDue(_now: Date, signal: AbortSignal): Promise<void> {
    return this.sender.sendDue(signal);
  }

  @Job({ name: 'ended messages', every: CronExpression.EVERY_10_MINUTES })
  async deleteEnded(now: Date, signal: AbortSignal): Promise<void> {
    for (const [outcome, days] of Object.entries(KEPT_DAYS)) {
      const endedAt = LessThanOrEqual(new Date(now.getTime() - days * DAY_MS));
      const ended = { outcome: outcome as DeliveryOutcome, endedAt };
      await removeInBatches(this.unitOfWork, this.messages, ended, signal);
    }
  }
}
