import { Module } from '@nestjs/common';
import { PagesModule } from '../../web/pages.module.js';
import { InstanceWebhooksController, WebhookPages, WebhooksController } from './webhooks.page.js';
import { WebhooksModule } from './webhooks.module.js';

/** Webhooks with their pages, which commands do not load. */
@Module({
  imports: [WebhooksModule, PagesModule],
  controllers: [WebhooksController, InstanceWebhooksController],
  providers: [WebhookPages],
})
export class WebhooksPagesModule {}
