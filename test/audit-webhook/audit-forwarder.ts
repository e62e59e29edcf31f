import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { Log } from '../../src/logging/log.js';
import type { PushEvent } from '../../src/pushes/push/push-events.js';
import {
  PassphraseFailed,
  PushCreated,
  PushExpired,
  PushRetrieved,
} from '../../src/pushes/push/push-events.js';
import { Webhook } from './webhook.js';

const MAX_WAITING = 1000;

/** Hands what happens to pushes on to a webhook, one after the other. What does not fit in the queue is dropped and counted. */
@Injectable()
export class AuditForwarder implements OnModuleDestroy {
  readonly counts = { delivered: 0, failed: 0, dropped: 0 };
  private readonly waiting: PushEvent[] = [];
  private isDelivering = false;

  constructor(
    private readonly webhook: Webhook,
    private readonly log: Log,
  ) {}

  /** Returns immediately: whoever made the request is waiting. */
  @OnEvent(PushCreated.eventName)
  @OnEvent(PushRetrieved.eventName)
  @OnEvent(PushExpired.eventName)
  @OnEvent(PassphraseFailed.eventName)
  take(event: PushEvent): void {
    if (this.waiting.length >= MAX_WAITING) {
      this.counts.dropped += 1;
    } else {
      this.waiting.push(event);
      void this.workOff();
    }
  }

  onModuleDestroy(): void {
    this.webhook.close();
  }

  private async workOff(): Promise<void> {
    if (this.isDelivering) return;
    this.isDelivering = true;
    for (let event = this.waiting.shift(); event; event = this.waiting.shift()) {
      const hasArrived = await this.webhook.deliver(event);
      this.counts[hasArrived ? 'delivered' : 'failed'] += 1;
      if (!hasArrived) this.log.warn(`The webhook did not take a ${event.name}`);
    }
    this.isDelivering = false;
  }
}
