import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions/transaction.js';
import { OutboxService } from '../../platform/outbox/outbox.service.js';
import type { PushEvent, PushNotifier } from '../../pushes/push/push-events.js';
import { PushEvents } from '../../pushes/push/push-events.js';
import type { Push } from '../../pushes/push/push.entity.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Subscription } from './subscriptions.service.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { messageAbout, typeOf, WEBHOOK_CHANNEL } from './webhook-events.js';

/** Writes a message for each webhook that is subscribed to an event. */
@Injectable()
export class WebhookNotifier implements PushNotifier, OnModuleInit {
  constructor(
    private readonly events: PushEvents,
    private readonly subscriptions: SubscriptionsService,
    private readonly outbox: OutboxService,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    if (this.settings.ENABLE_WEBHOOKS) this.events.addNotifier(this);
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
