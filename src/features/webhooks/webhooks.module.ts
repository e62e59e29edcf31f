import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../auth/auth.module.js';
import { PushesModule } from '../../pushes/pushes.module.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { OutboxModule } from '../../platform/outbox/outbox.module.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { DestinationRules } from './destination-rules.js';
import { Webhooks_Initial1768000000000 } from './initial.migration.js';
import { WebhookChannel } from './webhook-channel.js';
import { WebhookClient, HostLookup } from './webhook-client.js';
import { WebhookHealth } from './webhook-health.js';
import { WebhookNotifier, SubscriptionsService } from './webhook-events.js';
import { WebhookSeal } from './webhook-seal.js';
import { Webhook, WebhookChanges } from './webhook.entity.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhookSettings } from './webhooks.settings.js';

/** Requests that tell other services what happens to pushes: docs/webhooks.md. */
@Module({
  imports: [
    InstanceAuditModule,
    OutboxModule,
    SchedulingModule,
    SealingModule,
    TypeOrmModule.forFeature([Webhook, WebhookChanges]),
    MigrationsModule.forFeature([Webhooks_Initial1768000000000]),
    AuthModule,
    PushesModule,
  ],
  providers: [
    provideSettings(WebhookSettings),
    WebhooksService,
    WebhookSeal,
    WebhookHealth,
    WebhookNotifier,
    WebhookChannel,
    WebhookClient,
    HostLookup,
    DestinationRules,
    SubscriptionsService,
  ],
  exports: [WebhooksService],
})
export class WebhooksModule {}
