import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { EmailLink } from '../entities/email-link.entity.js';
import { PasswordLink } from '../entities/password-link.entity.js';
import { AccountNoticesModule } from '../notices/account-notices.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { EmailLinksService } from './email-links.service.js';
import { PasswordLinksService } from './password-links.service.js';
import { UnverifiedAccess } from './unverified-access.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { Links_Initial1767360000000 } from './initial.migration.js';

/** Links that set a password or verify an email address. */
@Module({
  imports: [
    InstanceAuditModule,
    MailModule,
    AccountNoticesModule,
    SessionsModule,
    AccountsModule,
    TypeOrmModule.forFeature([PasswordLink, EmailLink]),
    MigrationsModule.forFeature([Links_Initial1767360000000]),
  ],
  providers: [UnverifiedAccess, PasswordLinksService, EmailLinksService],
  exports: [UnverifiedAccess, PasswordLinksService, EmailLinksService],
})
export class LinksModule {}
