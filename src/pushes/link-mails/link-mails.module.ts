import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { User } from '../../auth/entities/user.entity.js';
import { DailyUsage } from '../../auth/quotas/daily-quota.js';
import { TextsModule } from '../../platform/i18n/texts.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { AccountsModule } from '../../auth/users/accounts.module.js';
import { PushModule } from '../push/push.module.js';
import { LinkMailDelivery } from './link-mail-delivery.js';
import { LinkMail } from './link-mail.entity.js';
import { LinkMailsService } from './link-mails.service.js';
import { MailQuota } from './mail-quota.js';
import { OwnLinkMailsService } from './own-link-mail.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { LinkMails_Initial1767530000000 } from './initial.migration.js';

/** Mails with the links of pushes. */
@Module({
  imports: [
    TypeOrmModule.forFeature([LinkMail, DailyUsage, User]),
    MigrationsModule.forFeature([LinkMails_Initial1767530000000]),
    AccountsModule,
    PushModule,
    AuditModule,
    MailModule,
    TextsModule,
  ],
  providers: [LinkMailsService, LinkMailDelivery, OwnLinkMailsService, MailQuota],
  exports: [LinkMailsService, OwnLinkMailsService, MailQuota],
})
export class LinkMailsModule {}
