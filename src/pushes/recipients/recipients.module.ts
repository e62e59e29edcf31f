import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { TextsModule } from '../../platform/i18n/texts.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { PushModule } from '../push/push.module.js';
import { CodeMails } from './code-mails.js';
import { CodeRequestsService } from './code-requests.service.js';
import { Recipients_Initial1767700000000 } from './initial.migration.js';
import { OpenCode } from './open-code.entity.js';
import { OpenCodesService, Opening } from './open-codes.service.js';
import { RecipientsService, EnteredAddress } from './recipients.service.js';

/** Who may open a push that names its recipients. */
@Module({
  imports: [
    TypeOrmModule.forFeature([OpenCode, Opening, EnteredAddress]),
    MigrationsModule.forFeature([Recipients_Initial1767700000000]),
    PushModule,
    AuditModule,
    AuthModule,
    MailModule,
    TextsModule,
  ],
  providers: [RecipientsService, OpenCodesService, CodeRequestsService, CodeMails],
  exports: [RecipientsService, OpenCodesService, CodeRequestsService],
})
export class RecipientsModule {}
