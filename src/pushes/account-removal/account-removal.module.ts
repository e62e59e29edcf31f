import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { FilesModule } from '../../files/files.module.js';
import { OutboxModule } from '../../platform/outbox/outbox.module.js';
import { Push } from '../push/push.entity.js';
import { PushesModule } from '../pushes.module.js';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { AccountRemovalService } from './account-removal.service.js';

@Module({
  imports: [
    InstanceAuditModule,
    TypeOrmModule.forFeature([Push]),
    AuditModule,
    AuthModule,
    FilesModule,
    OutboxModule,
    PushesModule,
  ],
  providers: [AccountRemovalService],
  exports: [AccountRemovalService],
})
export class AccountRemovalModule {}
