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
import { ThrottlingModule } from '../../platform/throttling/throttling.module.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { PushesModule } from '../../pushes/pushes.module.js';
import { AnswersService } from './answers.service.js';
import { Requests_Initial1767900000000 } from './initial.migration.js';
import { OpenSecretRequestsService } from './open-requests.service.js';
import { RequestAnswer } from './request-answer.entity.js';
import { SecretRequestAuditEntry } from './secret-request-audit-entry.entity.js';
import { SecretRequestAuditService } from './secret-request-audit.service.js';
import { SecretRequestMails } from './secret-request-mails.js';
import { SecretRequestPass } from './secret-request-pass.js';
import {
  SecretRequestPassphraseAttempt,
  SecretRequestPassphraseThrottle,
} from './secret-request-passphrase-throttle.js';
import { SecretRequestPassphrases } from './secret-request-passphrases.js';
import { SecretRequestRules } from './secret-request-rules.js';
import { SecretRequestSeal } from './secret-request-seal.js';
import { SecretRequestsController } from './requests.controller.js';
import { SecretRequestsSchedule } from './requests.schedule.js';
import { SecretRequestsService } from './requests.service.js';
import { SecretRequestSettings } from './requests.settings.js';
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
    ThrottlingModule,
    TypeOrmModule.forFeature([
      SecretRequest,
      RequestAnswer,
      SecretRequestAuditEntry,
      SecretRequestPassphraseAttempt,
      User,
    ]),
    MigrationsModule.forFeature([Requests_Initial1767900000000]),
  ],
  controllers: [SecretRequestsController],
  providers: [
    provideSettings(SecretRequestSettings),
    AnswersService,
    OpenSecretRequestsService,
    SecretRequestAuditService,
    SecretRequestMails,
    SecretRequestPass,
    SecretRequestPassphrases,
    SecretRequestPassphraseThrottle,
    SecretRequestRules,
    SecretRequestSeal,
    SecretRequestsSchedule,
    SecretRequestsService,
  ],
  exports: [
    AnswersService,
    OpenSecretRequestsService,
    SecretRequestPass,
    SecretRequestRules,
    SecretRequestsService,
    SecretRequestSettings,
  ],
})
export class RequestsModule {}
