import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { InjectRepository } from '@nestjs/typeorm';
import PQueue from 'p-queue';
import { In, IsNull, LessThanOrEqual, Not, Repository } from 'typeorm';
import { capTimes } from '../database/cap-times.js';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import { Log } from '../logging/log.js';
import { MissingMasterKey, UnsealError } from '../sealing/secretbox.js';
import { FailingDestinations } from './failing-destinations.js';
import { MessageSeal } from './message-seal.js';
import { DeliveryError, OutboxChannels, DeliveryRecorders } from './outbox-channels.js';
import type { MessageChange } from './outbox-message.entity.js';
import { MAX_RETRY_DELAY_MS, OutboxMessage } from './outbox-message.entity.js';

/**
 * What came of an attempt to deliver a message. It is attempted again later if it was `retried` because of the message, or
 * `destination_failed` whatever the message.
 */
export const ATTEMPT_RESULTS = ['delivered', 'retried', 'destination_failed', 'failed', 'dropped'] as const;

export class MessageAttempted {
  static readonly eventName = 'message.attempted';

  constructor(
    readonly channel: string,
    readonly result: (typeof ATTEMPT_RESULTS)[number],
  ) {}
}

/** Destinations that a process sends to at the same time, each one message after the other. */
const MAX_DESTINATIONS = 32;

/** Transactions at the same time, however many destinations there are: those of requests would wait for more. */
const MAX_TRANSACTIONS = 4;

/** Messages that are looked at to find destinations. */
const MESSAGES_LOOKED_AT = 200;

/** Destinations that a query excludes: an engine accepts at most 32,766 values. */
const MAX_EXCLUDED = 10_000;

/** Messages to one destination before others may have its slot. */
const MAX_IN_A_ROW = 50;

type Clock = () => Date;

/**
 * Sends the messages of the outbox. Several processes may do so at the same time: each attempt is made by one of them. A
 * message is sent again if the process dies, or loses the database, between its delivery and the commit that records it.
 */
@Injectable()
export class OutboxSender {
  /** The destinations that are being sent to, or wait for a slot. */
  private readonly busy = new Set<string>();
  /** Those of them for which a message may have been added since the last one was looked for. */
  private readonly recheck = new Set<string>();
  private readonly failing = new FailingDestinations();
  private readonly transactions = new PQueue({ concurrency: MAX_TRANSACTIONS });
  private freeSlots = MAX_DESTINATIONS;
  private readonly waiting: (() => void)[] = [];

  constructor(
    @InjectRepository(OutboxMessage) private readonly messages: Repository<OutboxMessage>,
    private readonly seal: MessageSeal,
    private readonly channels: OutboxChannels,
    private readonly recorders: DeliveryRecorders,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
    private readonly events: EventEmitter2,
  ) {}

  /** Sends what is due, except to destinations that are being sent to already; resolves when it has been attempted. */
  async sendDue(signal?: AbortSignal, clock: Clock = () => new Date()): Promise<void> {
    const latest = new Date(clock().getTime() + MAX_RETRY_DELAY_MS);
    await capTimes(this.unitOfWork, this.messages, {}, 'nextAttemptAt', latest);
    while (!signal?.aborted && (await this.sendRound(clock, signal)) > 0);
  }

  /** The same for these destinations only. Others are not looked for, however many messages wait. */
  async sendTo(destinations: string[], signal?: AbortSignal, clock: Clock = () => new Date()): Promise<void> {
    await Promise.all(destinations.map((destination) => this.sendAll(destination, clock, signal)));
  }

  /** Returns to how many destinations it has sent. */
  private async sendRound(clock: Clock, signal?: AbortSignal): Promise<number> {
    const sending: Promise<void>[] = [];
    let due: string[];
    do {
      due = await this.findDue(clock());
      for (const destination of new Set(due)) sending.push(this.sendAll(destination, clock, signal));
    } while (due.length === MESSAGES_LOOKED_AT); // there may be messages to other destinations
    await Promise.all(sending);
    return sending.length;
  }

  /** The destinations of the messages that have been due for the longest time; none while others wait for a slot. */
  private async findDue(now: Date): Promise<string[]> {
    if (this.waiting.length > 0) return [];
    const excluded = [...this.busy, ...this.failing.pausedAt(now)].slice(0, MAX_EXCLUDED);
    const rows = await this.messages.find({
      select: { destination: true },
      where: { nextAttemptAt: LessThanOrEqual(now), destination: Not(In(excluded)) },
      order: { nextAttemptAt: 'ASC' },
      take: MESSAGES_LOOKED_AT,
    });
    return rows
      .map(({ destination }) => destination)
      .filter((destination) => !this.busy.has(destination) && !this.failing.isPaused(destination, now));
  }

  private async sendAll(destination: string, clock: Clock, signal?: AbortSignal): Promise<void> {
    if (this.busy.has(destination)) {
      this.recheck.add(destination);
      return;
    }
    this.busy.add(destination);
    try {
      while (await this.inSlot(() => this.sendSome(destination, clock, signal)));
    } catch (error) {
      this.failing.recordFailure(destination, 'DATABASE', clock()); // the database failed: otherwise this would be repeated immediately
      if (!signal?.aborted) this.log.failure('Sending messages failed; retrying later', error);
    } finally {
      this.busy.delete(destination);
      this.recheck.delete(destination);
    }
  }

  /** Waits for one of the slots for destinations. */
  private async inSlot<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.freeSlots === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.freeSlots -= 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.freeSlots += 1;
    }
  }

  /** Returns whether there may be more to send. */
  private async sendSome(destination: string, clock: Clock, signal?: AbortSignal): Promise<boolean> {
    for (let sent = 0; sent < MAX_IN_A_ROW; sent++) {
      if (signal?.aborted || this.failing.isPaused(destination, clock())) return false;
      this.recheck.delete(destination);
      const message = await this.findNext(destination, clock());
      if (message) await this.send(message, clock);
      else if (!this.recheck.has(destination)) return false;
    }
    return true;
  }

  private findNext(destination: string, now: Date): Promise<OutboxMessage | null> {
    return this.messages.findOne({
      where: { destination, nextAttemptAt: LessThanOrEqual(now) },
      order: { nextAttemptAt: 'ASC' },
    });
  }

  private async send(message: OutboxMessage, clock: Clock): Promise<void> {
    const begin = clock();
    if (!(await this.change(message, message.beginDelivery(begin), begin))) return; // another process makes this attempt
    try {
      await this.deliver(message);
    } catch (error) {
      await this.recordFailure(message, error, clock());
      return;
    }
    this.recordSuccess(message);
    const end = clock();
    await this.change(message, message.delivered(end), end);
  }

  private async deliver(message: OutboxMessage): Promise<void> {
    const { id, channel, kind, destination, userId, createdAt } = message;
    const values = this.seal.unseal(message);
    await this.channels.get(channel).deliver({ id, kind, destination, userId, createdAt, values });
  }

  private recordSuccess({ channel, destination }: OutboxMessage): void {
    this.report(channel, 'delivered');
    const failure = this.failing.recordSuccess(destination);
    if (!failure) return;
    const { since, attempts } = failure;
    this.log.event('Delivery to a destination works again', { channel, destination, since, attempts });
  }

  private async recordFailure(message: OutboxMessage, error: unknown, now: Date): Promise<void> {
    if (!(error instanceof DeliveryError)) this.log.failure('A message could not be sent', error);
    const failure = error instanceof DeliveryError ? error : internalError(error);
    const { code, type, reason } = failure;
    const { id, channel, kind, destination } = message;
    if (type === 'destination' && this.failing.recordFailure(destination, code, now))
      this.reportFailing(message, failure);
    const change = type === 'dropped' ? message.dropped(code, now) : message.notDelivered(failure, now);
    await this.change(message, change, now);
    this.report(channel, change.outcome ?? (type === 'destination' ? 'destination_failed' : 'retried'));
    if (change.outcome !== 'failed') return;
    const said = type === 'destination' ? undefined : reason; // that of a destination is logged once for all messages
    this.log.event('A message failed', { message: id, channel, kind, code, ...(said && { reason: said }) });
  }

  private report(channel: string, result: MessageAttempted['result']): void {
    this.events.emit(MessageAttempted.eventName, new MessageAttempted(channel, result));
  }

  /** What only an account has set up, such as its webhook, is no reason to warn the operator. */
  private reportFailing(
    { channel, destination, userId }: OutboxMessage,
    { code, reason }: DeliveryError,
  ): void {
    const facts = { channel, destination, code, ...(reason && { reason }) };
    const isOperators = userId === null || this.channels.get(channel).isOperators;
    if (isOperators) this.log.warning('Delivery to a destination failed; its messages are sent later', facts);
    else this.log.event('Delivery to a destination failed; its messages are sent later', facts);
  }

  /** Whether the message was as it had been read: its number of attempts is its version. */
  private async change(message: OutboxMessage, change: MessageChange, now: Date): Promise<boolean> {
    const { id, attempts } = message;
    const expectedState = { id, attempts, endedAt: IsNull() };
    const changed = Object.assign(new OutboxMessage(), message, change);
    const isChanged = await this.transactions.add(() =>
      this.unitOfWork.run(async (manager) => {
        const { affected } = await manager.update(OutboxMessage, expectedState, change);
        if (affected === 1) await this.recorders.record(manager, changed, now);
        return affected === 1;
      }),
    );
    Object.assign(message, change);
    return isChanged;
  }
}

/**
 * A damaged row stays damaged, whether it is that of the message or of what the message is about. A process that has its
 * master key may still send it.
 */
function internalError(error: unknown): DeliveryError {
  return error instanceof UnsealError && !(error instanceof MissingMasterKey)
    ? new DeliveryError('UNREADABLE', 'permanent')
    : new DeliveryError('INTERNAL');
}
