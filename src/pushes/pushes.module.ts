import { Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { User } from '../auth/entities/user.entity.js';
import { FilesModule } from '../files/files.module.js';
import { BodyModule } from '../platform/http/body/body.module.js';
import { DailyUsage } from '../auth/quotas/daily-usage.entity.js';
import { HashingModule } from '../platform/throttling/hashing-queues.js';
import { Passphrases } from './push/passphrases.js';
import { ThrottlingModule } from '../platform/throttling/throttling.module.js';
import { InstanceAuditModule } from '../platform/instance-audit/instance-audit.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { TextsModule } from '../platform/i18n/texts.module.js';
import { OutboxModule } from '../platform/outbox/outbox.module.js';
import { SchedulingModule } from '../platform/scheduling/scheduling.module.js';
import { SealingModule } from '../platform/sealing/sealing.module.js';
import { AuditChainService } from './audit-log/audit-chain.service.js';
import { AuditLogController } from './audit-log/audit-log.controller.js';
import { AuditLogService } from './audit-log/audit-log.service.js';
import { AuditVerificationService } from './audit-log/audit-verification.service.js';
import { PushAuditService } from './audit-log/push-audit.service.js';
import { ChangesService } from './change/changes.service.js';
import { ExpirySchedule } from './expiry/expiry.schedule.js';
import { ExpiryService } from './expiry/expiry.service.js';
import { IdempotencyKey } from './create/idempotency-key.entity.js';
import { PushKeyRotation } from './key-rotation/push-key-rotation.js';
import { PushRules } from './create/push-rules.js';
import { LinkMail } from './link-mails/link-mail.entity.js';
import { LinkMailDelivery } from './link-mails/link-mail-delivery.js';
import { LinkMailsService } from './link-mails/link-mails.service.js';
import { MailQuota } from './link-mails/mail-quota.js';
import { OwnLinkMailsService } from './link-mails/own-link-mails.service.js';
import { PushNoticesService } from './notices/push-notices.service.js';
import { CodeRequestsService } from './recipients/code-requests.service.js';
import { EnteredAddress } from './recipients/entered-address.entity.js';
import { OpenCode } from './recipients/open-code.entity.js';
import { OpenCodesService } from './recipients/open-codes.service.js';
import { Opening } from './recipients/opening.entity.js';
import { RecipientsService } from './recipients/recipients.service.js';
import { AttemptQueues } from './passphrase/attempt-queues.js';
import { PassphraseAttempt } from './passphrase/passphrase-attempt.entity.js';
import { PassphraseThrottle } from './passphrase/passphrase-throttle.js';
import { OwnPushesService } from './owner-lists/own-pushes.service.js';
import { SealedSearches } from './owner-lists/sealed-searches.js';
import { PushEvents } from './push/push-events.js';
import { CreationsService } from './create/creations.service.js';
import { CreationPolicies } from './create/creation-policy.js';
import { PushSeal } from './push/push-seal.js';
import { PushRepository } from './push/push.repository.js';
import { Push } from './push/push.entity.js';
import { PushesController } from './pushes.controller.js';
import { PushesService } from './push/pushes.service.js';
import { RetrievalTurns } from './retrieve/retrieval-turns.js';
import { ImportedPush } from './import/imported-push.entity.js';
import { ImportedPushesService } from './import/imported-pushes.service.js';
import { RetrievalsService } from './retrieve/retrievals.service.js';
import { IdempotentCreationsService } from './create/idempotent-creations.service.js';
import { MigrationsModule } from '../platform/database/migrations.module.js';
import { Pushes_Initial1767500000000 } from './initial.migration.js';
import { Recipients_Initial1767700000000 } from './recipients/initial.migration.js';

@Module({
  imports: [
    InstanceAuditModule,
    MailModule,
    TextsModule,
    OutboxModule,
    SchedulingModule,
    SealingModule,
    HashingModule,
    TypeOrmModule.forFeature([
      Push,
      ImportedPush,
      PassphraseAttempt,
      OpenCode,
      Opening,
      EnteredAddress,
      IdempotencyKey,
      LinkMail,
      DailyUsage,
      User,
    ]),
    MigrationsModule.forFeature([Pushes_Initial1767500000000, Recipients_Initial1767700000000]),
    EventEmitterModule.forRoot(),
    AuthModule,
    AuditModule,
    FilesModule,
    BodyModule,
    ThrottlingModule,
  ],
  controllers: [PushesController, AuditLogController],
  providers: [
    PushesService,
    OwnPushesService,
    SealedSearches,
    CreationsService,
    RetrievalsService,
    ChangesService,
    RetrievalTurns,
    IdempotentCreationsService,
    ImportedPushesService,
    PushRepository,
    PushSeal,
    Passphrases,
    PushRules,
    CreationPolicies,
    PushEvents,
    LinkMailsService,
    LinkMailDelivery,
    OwnLinkMailsService,
    MailQuota,
    PushNoticesService,
    PassphraseThrottle,
    AttemptQueues,
    RecipientsService,
    OpenCodesService,
    CodeRequestsService,
    ExpiryService,
    ExpirySchedule,
    PushKeyRotation,
    AuditChainService,
    AuditLogService,
    AuditVerificationService,
    PushAuditService,
  ],
  exports: [
    PushEvents,
    Passphrases,
    AttemptQueues,
    MailQuota,
    PushesService,
    OwnPushesService,
    SealedSearches,
    CreationsService,
    RetrievalsService,
    ChangesService,
    IdempotentCreationsService,
    ImportedPushesService,
    PushRules,
    CreationPolicies,
    LinkMailsService,
    RecipientsService,
    CodeRequestsService,
    ExpiryService,
    PushKeyRotation,
    AuditChainService,
    AuditLogService,
    AuditVerificationService,
    PushAuditService,
  ],
})
export class PushesModule {}
