import { Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { addAccountCommands } from './features/commands/account-commands.js';
import { addAuditCommands } from './features/commands/audit-commands.js';
import type { AddCommands } from './platform/cli/command-context.js';
import { addFileCommands } from './features/commands/file-commands.js';
import { addMailCommand } from './features/commands/mail-command.js';
import { addMaintenanceCommands } from './features/commands/maintenance-commands.js';
import { addMoveCommands } from './features/move/move-commands.js';
import { addPasswordPusherCommand } from './features/passwordpusher/passwordpusher-command.js';
import { OidcProviderModule } from './features/oidc/oidc-provider.module.js';
import { RequestsModule } from './features/requests/requests.module.js';
import { FirstStepsModule } from './features/setup/first-steps.module.js';
import { UploadsModule } from './features/uploads/uploads.module.js';
import { WebhooksModule } from './features/webhooks/webhooks.module.js';
import { ContributionsModule } from './platform/contributions/contributions.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { LimitsModule } from './platform/limits/limits.module.js';
import { LoggingModule } from './platform/logging/logging.module.js';
import { SettingsModule } from './platform/settings/settings.module.js';
import { AccountRemovalModule } from './pushes/account-removal/account-removal.module.js';
import { PushesModule } from './pushes/pushes.module.js';

/** The operator's commands, in the order of their list. */
export const COMMANDS: AddCommands[] = [
  addAccountCommands,
  addMaintenanceCommands,
  addMailCommand,
  addFileCommands,
  addAuditCommands,
  addMoveCommands,
  addPasswordPusherCommand,
];

/** The service without its scheduled jobs. Messages of the outbox are written, and sent by the service. */
@Module({
  imports: [
    SettingsModule,
    LoggingModule,
    ContributionsModule,
    HttpModule,
    LimitsModule,
    DatabaseModule,
    AuthModule,
    AccountRemovalModule,
    PushesModule,
    OidcProviderModule, // who can sign in
    RequestsModule,
    UploadsModule, // whose files a sweep must know
    WebhooksModule,
    FirstStepsModule, // its table
  ],
})
export class CliModule {}
