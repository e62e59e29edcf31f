import { Module } from '@nestjs/common';
import { MailerService } from './mailer.service.js';
import { MailsService } from './mails.service.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { TextsModule } from '../i18n/texts.module.js';

@Module({
  imports: [OutboxModule, TextsModule],
  providers: [MailsService, MailerService],
  exports: [MailsService],
})
export class MailModule {}
