import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { FilesModule } from '../../files/files.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { LinkMailsModule } from '../link-mails/link-mails.module.js';
import { PushModule } from '../push/push.module.js';
import { CreationPolicies } from './creation-policy.js';
import { CreationsService } from './creations.service.js';
import { IdempotentCreationsService, IdempotencyKey } from './idempotent-creations.service.js';
import { PushRules } from './push-rules.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { IdempotencyKeys_Initial1767510000000 } from './initial.migration.js';

/** Creating pushes. */
@Module({
  imports: [
    TypeOrmModule.forFeature([IdempotencyKey]),
    MigrationsModule.forFeature([IdempotencyKeys_Initial1767510000000]),
    PushModule,
    LinkMailsModule,
    AuditModule,
    AuthModule,
    FilesModule,
    MailModule,
  ],
  providers: [CreationsService, IdempotentCreationsService, PushRules, CreationPolicies],
  exports: [CreationsService, IdempotentCreationsService, PushRules, CreationPolicies],
})
export class CreateModule {}
