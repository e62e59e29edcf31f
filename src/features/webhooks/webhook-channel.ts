import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import { Log } from '../../platform/logging/log.js';
import type { Delivery } from '../../platform/outbox/outbox-channels.js';
import { DeliveryError, OutboxChannel } from '../../platform/outbox/outbox-channels.js';
import { PushesService } from '../../pushes/push/pushes.service.js';
import { Settings } from '../../platform/settings/settings.js';
import { WebhookSettings } from './webhooks.settings.js';
import { WebhookClient } from './webhook-client.js';
import type { WebhookMessage } from './webhook-events.js';
import { WEBHOOK_CHANNEL } from './webhook-events.js';
import { WebhookHealth } from './webhook-health.js';
import { secretsOf, WebhookSeal } from './webhook-seal.js';
import type { Webhook } from './webhook.entity.js';

const GONE = 410;

/** Sends messages to webhooks, signed as Standard Webhooks specifies (https://www.standardwebhooks.com). */
@Injectable()
@OutboxChannel(WEBHOOK_CHANNEL)
export class WebhookChannel implements OutboxChannel, OnModuleInit {
  constructor(
    private readonly health: WebhookHealth,
    private readonly seal: WebhookSeal,
    private readonly client: WebhookClient,
    private readonly pushes: PushesService,
    private readonly settings: WebhookSettings,
    private readonly serviceSettings: Settings,
    private readonly log: Log,
  ) {}

  get isEnabled(): boolean {
    return this.settings.ENABLE_WEBHOOKS;
  }

  onModuleInit(): void {
    if (this.isEnabled && this.serviceSettings.HTTPS_PROXY)
      this.log.event('Webhooks are sent through HTTPS_PROXY, whose rules decide what they reach', {});
  }

  async deliver(delivery: Delivery, now = new Date()): Promise<void> {
    const webhook = await this.health.find(delivery.destination);
    if (!webhook) throw new DeliveryError('DELETED', 'dropped');
    if (!(await this.health.isInUse(webhook))) throw new DeliveryError('DISABLED', 'permanent');
    try {
      await this.send(webhook, delivery, now);
    } catch (error) {
      await this.health.recordFailure(webhook, isGone(error), now);
      throw error;
    }
    await this.health.recordSuccess(webhook);
  }

  private async send(webhook: Webhook, delivery: Delivery, now: Date): Promise<void> {
    const contents = this.seal.unseal(webhook);
    const body = await this.bodyOf(webhook, delivery.values as WebhookMessage);
    const signatures = secretsOf(contents, now).map((secret) =>
      new Signer(secret).sign(delivery.id, now, body),
    );
    const status = await this.client.post({
      url: new URL(contents.url),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'Sealpush',
        'webhook-id': delivery.id,
        'webhook-timestamp': Math.floor(now.getTime() / 1000),
        'webhook-signature': signatures.join(' '),
      },
      body,
    });
    if (status < 200 || status > 299) throw deliveryErrorFor(status);
  }

  /** Webhooks of the account are also told the name that it gave the push, as long as the push is there. */
  private async bodyOf({ userId }: Webhook, message: WebhookMessage): Promise<string> {
    const { type, timestamp, pushId, data } = message;
    const isOwn = userId !== null && pushId !== undefined;
    const name = isOwn ? await this.pushes.findName(pushId, userId) : undefined;
    return JSON.stringify({ type, timestamp, data: { ...data, ...(name !== undefined && { name }) } });
  }
}

function deliveryErrorFor(status: number): DeliveryError {
  const code = `HTTP ${status}`;
  if (status === GONE) return new DeliveryError(code, 'permanent');
  return new DeliveryError(code, status === 429 || status >= 500 ? 'destination' : 'transient');
}

function isGone(error: unknown): boolean {
  return error instanceof DeliveryError && error.code === `HTTP ${GONE}`;
}
