import { Module } from '@nestjs/common';
import { AccountsModule } from '../../auth/users/accounts.module.js';
import { TextsModule } from '../../platform/i18n/texts.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { PushModule } from '../push/push.module.js';
import { PushNoticesService } from './push-notices.service.js';

/** Mails to the owners of pushes. */
@Module({
  imports: [AccountsModule, PushModule, MailModule, TextsModule],
  providers: [PushNoticesService],
  exports: [PushNoticesService],
})
export class NoticesModule {}
