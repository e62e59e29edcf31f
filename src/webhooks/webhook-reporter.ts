import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { NewRow } from '../database/write.js';
import { Outbox } from '../outbox/outbox.service.js';
import type { PushEvent } from '../pushes/push-events.js';
import type { PushReporter } from '../pushes/push-reports.js';
import { PushReports } from '../pushes/push-reports.js';
import type { Push } from '../pushes/push.entity.js';
import type { Subscription } from './subscriptions.service.js';
import { Subscriptions } from './subscriptions.service.js';
import { messageAbout, typeOf, WEBHOOK_CHANNEL } from './webhook-events.js';

/** Writes a message for each webhook that is told of an event. */
@Injectable()
export class WebhookReporter implements PushReporter, OnModuleInit {
  constructor(
    private readonly reports: PushReports,
    private readonly subscriptions: Subscriptions,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.reports.add(this);
  }

  wants(event: PushEvent): boolean {
    return this.toldOf(event).length > 0;
  }

  rowsFor(event: PushEvent, push: Push, now: Date): NewRow[] {
    const type = typeOf(event);
    if (!type) return [];
    const values = messageAbout(event, type, push);
    return this.toldOf(event).map(({ id, userId }) =>
      this.outbox.newRow({ channel: WEBHOOK_CHANNEL, destination: id, kind: type, userId, values }, now),
    );
  }

  private toldOf(event: PushEvent): Subscription[] {
    const type = typeOf(event);
    if (!type) return [];
    const own = event.userId === null ? [] : this.subscriptions.of(event.userId, type);
    return [...own, ...this.subscriptions.of(null, type)];
  }
}
