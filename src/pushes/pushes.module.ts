import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { FilesModule } from '../files/files.module.js';
import { MigrationsModule } from '../platform/database/migrations.module.js';
import { BodyModule } from '../platform/http/body/body.module.js';
import { InstanceAuditModule } from '../platform/instance-audit/instance-audit.module.js';
import { SealingModule } from '../platform/sealing/sealing.module.js';
import { AuditLogController } from './audit-log/audit-log.controller.js';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import { ChangeModule } from './change/change.module.js';
import { CreateModule } from './create/create.module.js';
import { ExpiryModule } from './expiry/expiry.module.js';
import { ImportedPush } from './import/imported-push.entity.js';
import { ImportedPushesService } from './import/imported-pushes.service.js';
import { ImportedPushes_Initial1767540000000 } from './initial.migration.js';
import { PushKeyRotation } from './key-rotation/push-key-rotation.js';
import { LinkMailsModule } from './link-mails/link-mails.module.js';
import { OwnerListsModule } from './owner-lists/owner-lists.module.js';
import { PushModule } from './push/push.module.js';
import { PushesController } from './pushes.controller.js';
import { RecipientsModule } from './recipients/recipients.module.js';
import { RetrieveModule } from './retrieve/retrieve.module.js';

const USE_CASES = [
  PushModule,
  CreateModule,
  RetrieveModule,
  ChangeModule,
  ExpiryModule,
  OwnerListsModule,
  AuditLogModule,
  LinkMailsModule,
  RecipientsModule,
];

/** Pushes: everything that can be done with them, by the API and by other modules. */
@Module({
  imports: [
    ...USE_CASES,
    TypeOrmModule.forFeature([ImportedPush]),
    MigrationsModule.forFeature([ImportedPushes_Initial1767540000000]),
    AuditModule,
    BodyModule,
    FilesModule,
    InstanceAuditModule,
    SealingModule,
  ],
  controllers: [PushesController, AuditLogController],
  providers: [ImportedPushesService, PushKeyRotation],
  exports: [...USE_CASES, ImportedPushesService, PushKeyRotation],
})
export class PushesModule {}
