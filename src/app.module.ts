import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { ThrottlerModule } from '@nestjs/throttler';
import { AuthModule } from './auth/auth.module.js';
import { CommonModule } from './common/common.module.js';
import { FloodGuard, floodOptions } from './common/flood.guard.js';
import { GracefulClose } from './common/graceful-close.js';
import { Log } from './common/log.js';
import { DatabaseModule } from './database/database.module.js';
import { HealthModule } from './health/health.module.js';
import { LegacyModule } from './legacy/legacy.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { PushesModule } from './pushes/pushes.module.js';
import { SealingModule } from './sealing/sealing.module.js';
import { Settings } from './settings/settings.js';
import { SettingsModule } from './settings/settings.module.js';
import { VersionModule } from './version/version.module.js';
import { WebModule } from './web/web.module.js';

@Module({
  imports: [
    SettingsModule,
    CommonModule,
    DatabaseModule,
    SealingModule,
    ScheduleModule.forRoot(),
    ThrottlerModule.forRootAsync({ inject: [Settings, Log], useFactory: floodOptions }),
    AuthModule,
    VersionModule,
    PushesModule,
    LegacyModule,
    HealthModule,
    MetricsModule,
    WebModule, // last, so that what ends in .json is never taken for a page
  ],
  providers: [
    // before the guard of AuthModule, so that floods of tokens are slowed down too
    { provide: APP_GUARD, useClass: FloodGuard },
    // here, because this module is the first to be told of the end: the database is still there
    GracefulClose,
    { provide: APP_INTERCEPTOR, useExisting: GracefulClose },
  ],
})
export class AppModule {}
