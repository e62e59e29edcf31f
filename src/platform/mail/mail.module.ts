import { Module } from '@nestjs/common';
import { MailerService } from './mailer.service.js';
import { MailsService } from './mails.service.js';
import { OutboxModule } from '../outbox/outbox.module.js';

@Module({ imports: [OutboxModule], providers: [MailsService, MailerService], exports: [MailsService] })
export class MailModule {}
