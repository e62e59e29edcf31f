import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { ContributionsModule } from '../../platform/contributions/contributions.module.js';
import { LoggingModule } from '../../platform/logging/logging.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OutboxModule } from '../../platform/outbox/outbox.module.js';
import { AccountRemovalModule } from '../../pushes/account-removal/account-removal.module.js';
import { PushesModule } from '../../pushes/pushes.module.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { SettingsModule } from '../../platform/settings/settings.module.js';
import { ServiceTarget } from './passwordpusher/import-target.js';
import { ProviderNameModule } from '../oidc/provider-name.js';
import { RequestsModule } from '../requests/requests.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';

/** The service without its scheduled jobs. Messages of the outbox are written, and sent by the service. */
@Module({
  imports: [
    SettingsModule,
    LoggingModule,
    ContributionsModule,
    SchedulingModule,
    HttpModule,
    DatabaseModule,
    InstanceAuditModule,
    SealingModule,
    OutboxModule, // mails that commands add are sent by the service
    MailModule,
    AuthModule,
    AccountRemovalModule,
    PushesModule,
    ProviderNameModule, // who can sign in
    RequestsModule,
    WebhooksModule,
  ],
  providers: [ServiceTarget],
})
export class CliModule {}
