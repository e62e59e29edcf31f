import { Injectable, NotFoundException } from '@nestjs/common';
import { assertValid, InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { IsNull, Repository } from 'typeorm';
import { OnOwnershipVerified } from '../../auth/links/unverified-access.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import type { InstanceAuditKind } from '../../platform/instance-audit/instance-audit-kinds.js';
import { declareAuditKinds } from '../../platform/instance-audit/instance-audit-kinds.js';
import { newId } from '../../platform/random/random.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { OutboxService } from '../../platform/outbox/outbox.service.js';
import { DestinationRules } from './destination-rules.js';
import type { WebhookEvent, WebhookMessage } from './webhook-events.js';
import { TEST_EVENT, WEBHOOK_CHANNEL, SubscriptionsService } from './webhook-events.js';
import { fingerprintOf, newSecret, WebhookSeal, withSecret } from './webhook-seal.js';
import { Webhook, incrementChanges } from './webhook.entity.js';
import { WebhookProblem } from './webhooks.problems.js';

/** Of an account, and of the instance. */
export const MAX_PER_OWNER = 5;

const AUDITED = declareAuditKinds({
  webhook_added: 'instanceAudit.webhook_added',
  webhook_secret_replaced: 'instanceAudit.webhook_secret_replaced',
  webhook_enabled: 'instanceAudit.webhook_enabled',
  webhook_deleted: 'instanceAudit.webhook_deleted',
});

/** Of all accounts together: every process keeps all of them in memory. */
const MAX_WEBHOOKS = 50_000;

const SHOWN_MESSAGES = 10;

/** The account that a webhook belongs to; null for the instance. */
export type WebhookOwner = string | null;

interface NewWebhook {
  /** Chosen when the form was shown: sending the form again adds no second webhook. */
  id?: string;
  url: string;
  events: WebhookEvent[];
}

/** A webhook as its owner sees it. */
export interface OwnWebhook {
  webhook: Webhook;
  /** Undefined when it cannot be read, because the row is damaged: all that can be done then is to delete it. */
  url: string | undefined;
  /** Names the present secret. */
  fingerprint: string;
  /** Until when the previous secret signs as well, in milliseconds since 1970. */
  overlapUntil?: number;
  /** The latest messages, newest first, without their content. */
  messages: OutboxMessage[];
}

/** What owners do with their webhooks. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly unitOfWork: UnitOfWork,
    private readonly seal: WebhookSeal,
    private readonly rules: DestinationRules,
    private readonly subscriptions: SubscriptionsService,
    private readonly outbox: OutboxService,
    private readonly audit: InstanceAudit,
  ) {}

  /** A webhook of whoever signed up with the email address of another must not report what its owner does. */
  @OnOwnershipVerified()
  async revoke(manager: EntityManager, userId: string): Promise<void> {
    await incrementChanges(manager);
    await manager.delete(Webhook, { userId });
  }

  /** An id for `add`. */
  newId(): string {
    return newId();
  }

  async list(owner: WebhookOwner, now = new Date()): Promise<OwnWebhook[]> {
    const rows = await this.webhooks.find({ where: ownedBy(owner), order: { id: 'ASC' } });
    return Promise.all(rows.map((webhook) => this.describe(webhook, now)));
  }

  countOf(owner: WebhookOwner): Promise<number> {
    return this.webhooks.countBy(ownedBy(owner));
  }

  /**
   * Adds a webhook; returns its secret, which is shown only once, or undefined when this id was added before.
   * @throws InvalidFields
   */
  async add(owner: WebhookOwner, added: NewWebhook, now = new Date()): Promise<string | undefined> {
    const { id = newId(), url, events } = added;
    this.check(added);
    const secret = newSecret();
    const row = { id, userId: owner };
    const sealed = this.seal.seal({ url: new URL(url.trim()).href, secret }, row);
    const webhook = { ...row, ...sealed, events: events.join(','), createdAt: now };
    try {
      await this.unitOfWork.run(async (manager) => {
        await insertWithin(manager, webhook);
        await this.recordWithin(manager, owner, AUDITED.webhook_added, id);
      });
    } catch (error) {
      if (isDuplicate(error)) return undefined;
      throw error;
    }
    await this.subscriptions.refreshAccount(owner);
    return secret;
  }

  /**
   * Replaces the secret, and returns the new one. The one before signs as well for a day.
   * @param from the fingerprint of the secret to replace: undefined is returned when it has been replaced already
   * @throws NotFoundException
   */
  rotateSecret(owner: WebhookOwner, id: string, from: string, now = new Date()): Promise<string | undefined> {
    const next = newSecret();
    return this.unitOfWork.run(async (manager) => {
      const webhook = await this.unitOfWork.findForUpdate(manager, Webhook, { id, ...ownedBy(owner) });
      if (!webhook) throw new NotFoundException();
      const contents = this.seal.unseal(webhook);
      if (fingerprintOf(contents.secret) !== from) return undefined;
      await manager.update(Webhook, { id }, this.seal.seal(withSecret(contents, next, now), webhook));
      await this.recordWithin(manager, owner, AUDITED.webhook_secret_replaced, id);
      return next;
    });
  }

  /**
   * Sends a message that reports nothing.
   * @throws NotFoundException
   */
  async test(owner: WebhookOwner, id: string, now = new Date()): Promise<void> {
    if (!(await this.webhooks.existsBy({ id, ...ownedBy(owner) }))) throw new NotFoundException();
    const values: WebhookMessage = { type: TEST_EVENT, timestamp: now.toISOString(), data: {} };
    const message = { channel: WEBHOOK_CHANNEL, destination: id, kind: TEST_EVENT, userId: owner, values };
    await this.unitOfWork.write((tx) => {
      this.outbox.add(tx, message, now);
    });
  }

  /**
   * Uses a webhook again that was disabled.
   * @throws NotFoundException
   */
  async enable(owner: WebhookOwner, id: string): Promise<void> {
    const { affected } = await this.unitOfWork.run(async (manager) => {
      await incrementChanges(manager);
      const change = { disabledAt: null, failingSince: null };
      const changed = await manager.update(Webhook, { id, ...ownedBy(owner) }, change);
      if (changed.affected === 1) await this.recordWithin(manager, owner, AUDITED.webhook_enabled, id);
      return changed;
    });
    if (affected === 0) throw new NotFoundException();
    await this.subscriptions.refreshAccount(owner);
  }

  /** Removes a webhook and its messages. Repeating it changes nothing. */
  async delete(owner: WebhookOwner, id: string): Promise<void> {
    const { affected } = await this.unitOfWork.run(async (manager) => {
      await incrementChanges(manager);
      const deleted = await manager.delete(Webhook, { id, ...ownedBy(owner) });
      if (deleted.affected === 1) await this.recordWithin(manager, owner, AUDITED.webhook_deleted, id);
      return deleted;
    });
    await this.subscriptions.refreshAccount(owner);
    if (affected === 1) await this.outbox.remove({ destination: id });
  }

  /** Changes of an account's own webhooks are its own matter. */
  private async recordWithin(
    manager: EntityManager,
    owner: WebhookOwner,
    kind: InstanceAuditKind,
    webhook: string,
  ): Promise<void> {
    if (owner === null) await this.audit.recordWithin(manager, kind, { details: { webhook } });
  }

  private check({ url, events }: NewWebhook): void {
    assertValid({
      url: this.rules.urlError(url),
      events: events.length === 0 && new WebhookProblem('event_needed'),
    });
  }

  private async describe(webhook: Webhook, now: Date): Promise<OwnWebhook> {
    const { url, secret = '', previous } = this.seal.unsealIfPossible(webhook) ?? {};
    const messages = await this.outbox.latestTo(webhook.id, SHOWN_MESSAGES);
    const overlapUntil = previous && previous.until > now.getTime() ? previous.until : undefined;
    return { webhook, url, fingerprint: fingerprintOf(secret), overlapUntil, messages };
  }
}

/** Counted within the transaction, in which no other webhook can be added. */
async function insertWithin(
  manager: EntityManager,
  webhook: Omit<Webhook, MethodsAndDefaults>,
): Promise<void> {
  const { userId } = webhook;
  await incrementChanges(manager);
  const isFull = (await manager.countBy(Webhook, ownedBy(userId))) >= MAX_PER_OWNER;
  if (isFull)
    throw new InvalidFields({ form: new WebhookProblem('too_many_webhooks', { count: MAX_PER_OWNER }) });
  if ((await manager.count(Webhook)) >= MAX_WEBHOOKS)
    throw new InvalidFields({ form: new WebhookProblem('no_more_webhooks') });
  await manager.insert(Webhook, { ...webhook, failingSince: null, disabledAt: null });
}

type MethodsAndDefaults = 'failed' | 'succeeded' | 'failingSince' | 'disabledAt';

function ownedBy(owner: WebhookOwner) {
  return { userId: owner ?? IsNull() };
}
