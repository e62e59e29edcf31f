import { Global, Module } from '@nestjs/common';
import { Mailer } from './mailer.service.js';
import { Mails } from './mails.service.js';

@Global()
@Module({ providers: [Mails, Mailer], exports: [Mails] })
export class MailModule {}
