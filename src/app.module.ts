import type { Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { AuthModule } from './auth/auth.module.js';
import type { NestModuleDefinition } from './custom/custom-modules.js';
import { InstanceAuditModule } from './platform/instance-audit/instance-audit.module.js';
import { SettingsChanges } from './platform/instance-audit/settings-changes.js';
import { ContributionsModule } from './platform/contributions/contributions.module.js';
import { LoggingModule } from './platform/logging/logging.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { ErrorsFilter } from './platform/http/errors/errors.filter.js';
import { Shutdown } from './platform/http/connections/shutdown.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { FilesModule } from './files/files.module.js';
import { StoreCheck } from './files/store-identity.js';
import { AdminModule } from './features/admin/admin.module.js';
import { GeneratorModule } from './features/generator/generator.module.js';
import { HealthModule } from './features/health/health.module.js';
import './features/move/move.audit-kinds.js';
import './features/passwordpusher/passwordpusher.audit-kinds.js';
import { LegacyModule } from './features/legacy/legacy.module.js';
import { MetricsModule } from './features/metrics/metrics.module.js';
import { PushesModule } from './pushes/pushes.module.js';
import { RequestsPagesModule } from './features/requests/requests-pages.module.js';
import { OidcModule } from './features/oidc/oidc.module.js';
import { SetupModule } from './features/setup/setup.module.js';
import { SettingsModule } from './platform/settings/settings.module.js';
import { LimitsModule } from './platform/limits/limits.module.js';
import { UploadsPagesModule } from './features/uploads/uploads-pages.module.js';
import { WebhooksPagesModule } from './features/webhooks/webhooks-pages.module.js';
import { VersionModule } from './version/version.module.js';
import { WebModule } from './web/web.module.js';

@Module({
  imports: [
    SettingsModule,
    LoggingModule,
    ContributionsModule,
    HttpModule,
    DatabaseModule,
    InstanceAuditModule,
    ScheduleModule.forRoot(),
    LimitsModule,
    AuthModule,
    PushesModule, // the first module with routes: Express matches in this order, and these are the busiest
    FilesModule,
    WebhooksPagesModule,
    RequestsPagesModule,
    GeneratorModule,
    UploadsPagesModule,
    VersionModule,
    LegacyModule,
    HealthModule,
    MetricsModule,
    AdminModule,
    OidcModule,
    SetupModule,
    WebModule, // last, so that paths ending in .json are never handled as pages
  ],
  providers: [
    { provide: APP_FILTER, useClass: ErrorsFilter }, // here, where it gets the pages of WebModule
    SettingsChanges, // here like the next, because only the service does this, not a command
    StoreCheck,
    Shutdown, // here, because this module's shutdown hooks run first, while the database is still open
  ],
})
export class AppModule {}

/** The service with further modules, last, so that a request is never handled by a route of theirs in place of ours. */
export function appWith(modules: NestModuleDefinition[]): Type {
  const ours = Reflect.getMetadata('imports', AppModule) as NestModuleDefinition[];
  @Module({ imports: [...ours, ...modules] }) // `imports` of a dynamic module would be the first
  class AppWithModules extends AppModule {} // has the same providers
  return AppWithModules;
}
