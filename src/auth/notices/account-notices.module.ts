import { Module } from '@nestjs/common';
import { MailModule } from '../../platform/mail/mail.module.js';
import { AccountNotices } from './account-notices.js';

/** Mails that tell the owner of an account about a change. */
@Module({
  imports: [MailModule],
  providers: [AccountNotices],
  exports: [AccountNotices],
})
export class AccountNoticesModule {}
