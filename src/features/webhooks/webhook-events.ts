import { setImmediate } from 'node:timers/promises';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere } from 'typeorm';
import { IsNull, MoreThan, Repository } from 'typeorm';
import type { PushEvent } from '../../pushes/push/push-events.js';
import {
  PassphraseFailed,
  PushCreated,
  PushExpired,
  PushNotifier,
  PushRetrieved,
} from '../../pushes/push/push-events.js';
import { RequestAnswered } from '../requests/request-answered.event.js';
import type { Push } from '../../pushes/push/push.entity.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { OutboxService } from '../../platform/outbox/outbox.service.js';
import { WebhookSettings } from './webhooks.settings.js';
import { Job } from '../../platform/scheduling/jobs.js';
import { inBatches } from '../../platform/database/in-batches.js';
import { Webhook, WEBHOOK_CHANGES, WebhookChanges } from './webhook.entity.js';

/** Rows that are read at a time. */
const PART = 1000;

/** A webhook that is in use, and the types of events that it is told of. */
export type Subscription = Pick<Webhook, 'id' | 'userId' | 'events'>;

/**
 * The webhooks in use, in memory, so that a push costs no query to find out who is told of it. A change by another
 * process is noticed within seconds. One webhook takes about 200 bytes, and there are at most `MAX_WEBHOOKS`.
 */
@Injectable()
export class SubscriptionsService implements OnApplicationBootstrap {
  private byAccount = new Map<string | null, Subscription[]>();
  private changes?: number;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    @InjectRepository(WebhookChanges) private readonly counter: Repository<WebhookChanges>,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.refresh();
  }

  /** The webhooks of an account, or with null those of the instance, that are told of events of this type. */
  of(userId: string | null, type: string): Subscription[] {
    return this.byAccount.get(userId)?.filter(({ events }) => events.split(',').includes(type)) ?? [];
  }

  /** Reads all webhooks again if any has changed, by another process too. */
  @Job({ name: 'webhooks', every: CronExpression.EVERY_5_SECONDS })
  refresh(): Promise<void> {
    return this.afterPrevious(async () => {
      const row = await this.counter.findOneBy({ id: WEBHOOK_CHANGES });
      if (row?.changes === this.changes) return;
      this.byAccount = await this.readAll();
      this.changes = row?.changes;
    });
  }

  /** Reads the webhooks of an account again, or with null those of the instance, after a change. */
  refreshAccount(userId: string | null): Promise<void> {
    return this.afterPrevious(async () => {
      const own = await this.read({ userId: userId ?? IsNull() });
      if (own.length > 0) this.byAccount.set(userId, own);
      else this.byAccount.delete(userId);
    });
  }

  private async readAll(): Promise<Map<string | null, Subscription[]>> {
    const all: Subscription[] = [];
    const next = (last?: Subscription) => this.read(last ? { id: MoreThan(last.id) } : {});
    for await (const part of inBatches(PART, next)) {
      all.push(...part);
      await setImmediate();
    }
    return Map.groupBy(all, ({ userId }) => userId);
  }

  private async read(where: FindOptionsWhere<Webhook>): Promise<Subscription[]> {
    const rows = await this.webhooks.find({
      select: { id: true, userId: true, events: true },
      where: { ...where, disabledAt: IsNull() },
      order: { id: 'ASC' },
      take: PART,
    });
    return rows.map(({ id, userId, events }) => ({ id, userId, events }));
  }

  /** One after the other, so that none overwrites what a later one has read. */
  private afterPrevious(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}

/** The channel of the outbox whose destinations are ids of webhooks. */
export const WEBHOOK_CHANNEL = 'webhook';

/** The types of events that a webhook can be told of. */
export const WEBHOOK_EVENTS = [
  'push.created',
  'push.retrieved',
  'push.failed_passphrase',
  'push.expired',
  'push.deleted',
  'request.answered',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What the test button sends, to any webhook. */
export const TEST_EVENT = 'test';

/** What a webhook is told about a push: nothing that opens it. docs/webhooks.md describes the fields. */
interface PushData {
  /** The SHA-256 digest of the url_token, in hex. */
  token_digest: string;
  kind: string;
  created_at: string;
  expires_at: string;
  views_remaining: number;
  expired: boolean;
  ended_by?: 'views' | 'days' | 'delete';
  by_owner?: boolean;
  /** Of an answer: the SHA-256 digest of the url_token of its request, in hex, and how many more the request takes. */
  request_digest?: string;
  answers_remaining?: number;
}

/** The content of a message to a webhook. */
export interface WebhookMessage {
  type: WebhookEvent | typeof TEST_EVENT;
  timestamp: string;
  /** Whose name is added when it is sent. */
  pushId?: string;
  data: PushData | Record<string, never>;
}

/** Undefined for an event that webhooks are not told of. */
function typeOf(event: PushEvent): WebhookEvent | undefined {
  if (event instanceof PushCreated) return 'push.created';
  if (event instanceof PushRetrieved) return 'push.retrieved';
  if (event instanceof PassphraseFailed) return 'push.failed_passphrase';
  if (event instanceof PushExpired) return event.by === 'delete' ? 'push.deleted' : 'push.expired';
  if (event instanceof RequestAnswered) return 'request.answered';
  return undefined;
}

/** @param push as it was before the event */
function messageAbout(event: PushEvent, type: WebhookEvent, push: Push): WebhookMessage {
  return { type, timestamp: event.at.toISOString(), pushId: push.id, data: dataOf(event, push) };
}

function dataOf(event: PushEvent, push: Push): PushData {
  return {
    token_digest: push.tokenDigest,
    kind: push.kind,
    created_at: push.createdAt.toISOString(),
    expires_at: push.expiresAt.toISOString(),
    views_remaining: viewsRemainingAfter(event, push),
    expired: event instanceof PushExpired || (event instanceof PushRetrieved && event.viewsRemaining === 0),
    ...(event instanceof PushExpired && { ended_by: event.by }),
    ...(event instanceof PushRetrieved && { by_owner: event.byOwner }),
    ...(event instanceof RequestAnswered && {
      request_digest: event.requestDigest,
      answers_remaining: event.answersRemaining,
    }),
  };
}

function viewsRemainingAfter(event: PushEvent, push: Push): number {
  if (event instanceof PushRetrieved) return event.viewsRemaining;
  return event instanceof PushExpired && event.by === 'views' ? 0 : push.viewsRemaining();
}

/** Writes a message for each webhook that is subscribed to an event. */
@Injectable()
@PushNotifier()
export class WebhookNotifier implements PushNotifier {
  constructor(
    private readonly subscriptions: SubscriptionsService,
    private readonly outbox: OutboxService,
    private readonly settings: WebhookSettings,
  ) {}

  get isEnabled(): boolean {
    return this.settings.ENABLE_WEBHOOKS;
  }

  wants(event: PushEvent): boolean {
    return this.subscribersTo(event).length > 0;
  }

  notify(tx: Transaction, event: PushEvent, push: Push, now: Date): void {
    const type = typeOf(event);
    if (!type) return;
    const values = messageAbout(event, type, push);
    for (const { id, userId } of this.subscribersTo(event))
      this.outbox.add(tx, { channel: WEBHOOK_CHANNEL, destination: id, kind: type, userId, values }, now);
  }

  private subscribersTo(event: PushEvent): Subscription[] {
    const type = typeOf(event);
    if (!type) return [];
    const own = event.userId === null ? [] : this.subscriptions.of(event.userId, type);
    return [...own, ...this.subscriptions.of(null, type)];
  }
}
