import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TextsModule } from '../../platform/i18n/texts.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { MailCount } from '../entities/mail-count.entity.js';
import { LinksModule } from '../links/links.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { AccountMails } from './account-mails.js';
import { EmailChangesService } from './email-changes.service.js';
import { MailLimits } from './mail-limits.js';
import { MailRequestsService } from './mail-requests.service.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { AccountMails_Initial1767370000000 } from './initial.migration.js';

/** Mails that people ask for, and writing all mails about accounts. */
@Module({
  imports: [
    MailModule,
    TextsModule,
    AccountsModule,
    SignInModule,
    LinksModule,
    TypeOrmModule.forFeature([MailCount]),
    MigrationsModule.forFeature([AccountMails_Initial1767370000000]),
  ],
  providers: [MailLimits, MailRequestsService, EmailChangesService, AccountMails],
  exports: [MailLimits, MailRequestsService, EmailChangesService],
})
export class AccountMailsModule {}
