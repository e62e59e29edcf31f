import { Module } from '@nestjs/common';
import { MailTransportModule } from './mail-transport.js';
import { MailerService } from './mailer.service.js';
import { MailsService } from './mails.service.js';
import { OutboxModule } from '../outbox/outbox.module.js';

@Module({
  imports: [OutboxModule, MailTransportModule],
  providers: [MailsService, MailerService],
  exports: [MailsService],
})
export class MailModule {}
