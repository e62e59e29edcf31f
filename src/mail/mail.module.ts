import { Global, Module } from '@nestjs/common';
import { MailerService } from './mailer.service.js';
import { MailsService } from './mails.service.js';

@Global()
@Module({ providers: [MailsService, MailerService], exports: [MailsService] })
export class MailModule {}
