import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TextsModule } from '../../platform/i18n/texts.module.js';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { Identity } from '../entities/identity.entity.js';
import { KnownBrowser } from '../entities/known-browser.entity.js';
import { Session } from '../entities/session.entity.js';
import { SignInMark } from '../entities/sign-in-mark.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountNoticesModule } from '../notices/account-notices.module.js';
import { IdentitiesService } from './identities.service.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInProviders } from './sign-in-provider.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { Sessions_Initial1767330000000 } from './initial.migration.js';

/** Browser sessions, and what they are recognised by and began with. */
@Module({
  imports: [
    InstanceAuditModule,
    TextsModule,
    AccountNoticesModule,
    TypeOrmModule.forFeature([User, Session, SignInMark, KnownBrowser, Identity]),
    MigrationsModule.forFeature([Sessions_Initial1767330000000]),
  ],
  providers: [SessionsService, KnownBrowsersService, IdentitiesService, SignInProviders],
  exports: [SessionsService, KnownBrowsersService, IdentitiesService, SignInProviders],
})
export class SessionsModule {}
