import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UsersService } from '../../auth/users/users.service.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../platform/logging/log.js';
import { SubscriptionsService } from './webhook-events.js';
import type { WebhookChange } from './webhook.entity.js';
import { Webhook, incrementChanges } from './webhook.entity.js';
import { WebhookDisabled } from './webhook-disabled.event.js';

/** Records whether webhooks work, and disables those that no longer do. */
@Injectable()
export class WebhookHealth {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly subscriptions: SubscriptionsService,
    private readonly log: Log,
    private readonly events: EventEmitter2,
  ) {}

  find(id: string): Promise<Webhook | null> {
    return this.webhooks.findOneBy({ id });
  }

  /** Nothing is sent for an account that is disabled. */
  async isInUse({ userId, disabledAt }: Webhook): Promise<boolean> {
    if (disabledAt !== null) return false;
    return userId === null || !(await this.users.find(userId))?.disabledAt;
  }

  async recordSuccess(webhook: Webhook): Promise<void> {
    const change = webhook.succeeded();
    if (change) await this.update(webhook, change);
  }

  /** @param isGone the receiver has answered that it wants no more messages */
  async recordFailure(webhook: Webhook, isGone: boolean, now: Date): Promise<void> {
    const change = isGone ? { disabledAt: now } : webhook.failed(now);
    if (!change) return;
    await this.update(webhook, change);
    if (!change.disabledAt) return;
    this.events.emit(WebhookDisabled.eventName, new WebhookDisabled());
    this.log.event('A webhook is disabled', { webhook: webhook.id, isGone });
    await this.subscriptions.refreshAccount(webhook.userId);
  }

  private async update({ id }: Webhook, change: WebhookChange): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      if (change.disabledAt) await incrementChanges(manager);
      await manager.update(Webhook, { id }, change);
    });
  }
}
