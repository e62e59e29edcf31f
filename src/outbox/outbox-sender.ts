import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, LessThanOrEqual, Not, Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Log } from '../logging/log.js';
import { HOUR_MS } from '../settings/units.js';
import { MessageSeal } from './message-seal.js';
import { DeliveryError, OutboxChannels } from './outbox-channels.js';
import type { MessageChange } from './outbox-message.entity.js';
import { OutboxMessage, retryDelay } from './outbox-message.entity.js';

/** Destinations that a process sends to at the same time, each one message after the other. */
const MAX_DESTINATIONS = 32;

/** Messages that are looked at to find destinations. */
const MESSAGES_LOOKED_AT = 200;

/** Messages to one destination before others may have its place. */
const MAX_IN_A_ROW = 50;

/** Failing destinations to which nothing has been sent for so long, such as deleted webhooks, take no memory. */
const FORGOTTEN_AFTER_MS = HOUR_MS;

/** A destination that fails whatever the message. */
interface Failing {
  attempts: number;
  retryAt: number;
}

/**
 * Sends the messages of the outbox. Several processes may do so at the same time: each attempt is made by one of them. A
 * message is sent again if the process dies, or loses the database, between its delivery and the commit that records it.
 */
@Injectable()
export class OutboxSender {
  /** The destinations that are being sent to. */
  private readonly busy = new Set<string>();
  /** Those of them for which a message may have been added since the last one was looked for. */
  private readonly added = new Set<string>();
  /** Their messages wait, instead of failing one after the other. */
  private readonly failing = new Map<string, Failing>();

  constructor(
    @InjectRepository(OutboxMessage) private readonly messages: Repository<OutboxMessage>,
    private readonly seal: MessageSeal,
    private readonly channels: OutboxChannels,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  /** Sends what is due, except to destinations that are being sent to already; resolves when it has been attempted. */
  async sendDue(stop?: AbortSignal, clock = () => new Date()): Promise<void> {
    for (const destination of this.busy) this.added.add(destination);
    for (let started = await this.startDue(clock, stop); started.length > 0;) {
      await Promise.all(started);
      started = stop?.aborted ? [] : await this.startDue(clock, stop);
    }
  }

  /** Starts sending to each destination with a message that is due, as far as there is room. */
  private async startDue(clock: () => Date, stop?: AbortSignal): Promise<Promise<void>[]> {
    const started: Promise<void>[] = [];
    let due: string[];
    do {
      due = await this.findDue(clock());
      const destinations = [...new Set(due)].filter((destination) => !this.busy.has(destination));
      const chosen = destinations.slice(0, this.room);
      started.push(...chosen.map((destination) => this.sendTo(destination, clock, stop)));
    } while (due.length === MESSAGES_LOOKED_AT); // there may be messages to other destinations
    return started;
  }

  private get room(): number {
    return MAX_DESTINATIONS - this.busy.size;
  }

  /** The destination of each of the messages that have been due for the longest time. */
  private async findDue(now: Date): Promise<string[]> {
    if (this.room <= 0) return [];
    const rows = await this.messages.find({
      select: { destination: true },
      where: { nextAttemptAt: LessThanOrEqual(now), destination: Not(In(this.waiting(now))) },
      order: { nextAttemptAt: 'ASC' },
      take: MESSAGES_LOOKED_AT,
    });
    return rows.map(({ destination }) => destination);
  }

  private waiting(now: Date): string[] {
    const failing = [...this.failing.keys()].filter((destination) => this.isFailing(destination, now));
    return [...this.busy, ...failing];
  }

  private isFailing(destination: string, now: Date): boolean {
    return (this.failing.get(destination)?.retryAt ?? 0) > now.getTime();
  }

  private async sendTo(destination: string, clock: () => Date, stop?: AbortSignal): Promise<void> {
    this.busy.add(destination);
    try {
      for (
        let sent = 0;
        sent < MAX_IN_A_ROW && !stop?.aborted && !this.isFailing(destination, clock());
        sent++
      ) {
        this.added.delete(destination);
        const message = await this.findNext(destination, clock());
        if (message) await this.send(message, clock);
        else if (!this.added.has(destination)) return;
      }
    } catch (error) {
      this.pause(destination, clock()); // the database failed: otherwise this would be repeated immediately
      this.log.failure('Sending messages failed; retrying later', error);
    } finally {
      this.busy.delete(destination);
      this.added.delete(destination);
    }
  }

  private findNext(destination: string, now: Date): Promise<OutboxMessage | null> {
    return this.messages.findOne({
      where: { destination, nextAttemptAt: LessThanOrEqual(now) },
      order: { nextAttemptAt: 'ASC' },
    });
  }

  private async send(message: OutboxMessage, clock: () => Date): Promise<void> {
    if (!(await this.change(message, message.attempt(clock())))) return; // another process makes this attempt
    try {
      await this.deliver(message);
    } catch (error) {
      await this.recordFailure(message, error, clock());
      return;
    }
    this.failing.delete(message.destination);
    await this.change(message, message.delivered(clock()));
  }

  private async deliver(message: OutboxMessage): Promise<void> {
    const { id, channel, kind, destination, userId, createdAt } = message;
    const values = this.seal.unseal(message);
    await this.channels.get(channel).deliver({ id, kind, destination, userId, createdAt, values });
  }

  private async recordFailure(message: OutboxMessage, error: unknown, now: Date): Promise<void> {
    if (!(error instanceof DeliveryError)) this.log.failure('A message could not be sent', error);
    const { code, scope } = error instanceof DeliveryError ? error : new DeliveryError('INTERNAL');
    const { id, channel, kind } = message;
    if (scope === 'destination' && this.pause(message.destination, now) === 1)
      this.log.event('A receiver of messages fails; they are sent later', { message: id, channel, code });
    const change = message.notDelivered(code, scope === 'message', now);
    await this.change(message, change);
    if (change.outcome === 'failed') this.log.event('A message failed', { message: id, channel, kind, code });
  }

  /** Returns how many attempts in a row have failed. */
  private pause(destination: string, now: Date): number {
    const attempts = (this.failing.get(destination)?.attempts ?? 0) + 1;
    this.failing.set(destination, {
      attempts,
      retryAt: now.getTime() + retryDelay(attempts, Math.random()),
    });
    for (const [name, { retryAt }] of this.failing)
      if (retryAt < now.getTime() - FORGOTTEN_AFTER_MS) this.failing.delete(name);
    return attempts;
  }

  /** Whether the message was as it had been read: its number of attempts is its version. */
  private async change(message: OutboxMessage, change: MessageChange): Promise<boolean> {
    const { id, attempts } = message;
    const asRead = { id, attempts, endedAt: IsNull() };
    const { affected } = await this.unitOfWork.run((manager) =>
      manager.update(OutboxMessage, asRead, change),
    );
    Object.assign(message, change);
    return affected === 1;
  }
}
