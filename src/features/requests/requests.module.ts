import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../auth/auth.module.js';
import { User } from '../../auth/entities/user.entity.js';
import { FilesModule } from '../../files/files.module.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { BodyModule } from '../../platform/http/body/body.module.js';
import { TextsModule } from '../../platform/i18n/texts.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { PushesModule } from '../../pushes/pushes.module.js';
import { AnswersService } from './answers.service.js';
import { Requests_Initial1767900000000 } from './initial.migration.js';
import { OpenRequestsService } from './open-requests.service.js';
import { RequestAnswer } from './request-answer.entity.js';
import { RequestAuditEntry } from './request-audit-entry.entity.js';
import { RequestAuditService } from './request-audit.service.js';
import { RequestMails } from './request-mails.js';
import { RequestPass } from './request-pass.js';
import { RequestPassphraseAttempt, RequestPassphraseThrottle } from './request-passphrase-throttle.js';
import { RequestPassphrases } from './request-passphrases.js';
import { RequestRules } from './request-rules.js';
import { RequestSeal } from './request-seal.js';
import { RequestsController } from './requests.controller.js';
import { RequestsSchedule } from './requests.schedule.js';
import { RequestsService } from './requests.service.js';
import { RequestSettings } from './requests.settings.js';
import { SecretRequest } from './secret-request.entity.js';

/** Accounts ask for secrets, and whoever has the link of a request answers: docs/api.md, Requests. */
@Module({
  imports: [
    AuthModule,
    BodyModule,
    FilesModule,
    MailModule,
    TextsModule,
    PushesModule,
    SchedulingModule,
    SealingModule,
    TypeOrmModule.forFeature([
      SecretRequest,
      RequestAnswer,
      RequestAuditEntry,
      RequestPassphraseAttempt,
      User,
    ]),
    MigrationsModule.forFeature([Requests_Initial1767900000000]),
  ],
  controllers: [RequestsController],
  providers: [
    provideSettings(RequestSettings),
    AnswersService,
    OpenRequestsService,
    RequestAuditService,
    RequestMails,
    RequestPass,
    RequestPassphrases,
    RequestPassphraseThrottle,
    RequestRules,
    RequestSeal,
    RequestsSchedule,
    RequestsService,
  ],
  exports: [AnswersService, OpenRequestsService, RequestPass, RequestRules, RequestsService, RequestSettings],
})
export class RequestsModule {}
