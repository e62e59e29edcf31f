import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditChainHeadsService, AuditChainHead, AuditSequence } from './audit-chain-heads.service.js';
import { AuditService } from './audit.service.js';
import { MigrationsModule } from '../platform/database/migrations.module.js';
import { Audit_Initial1767600000000 } from './initial.migration.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AuditEntry, AuditChainHead, AuditSequence]),
    MigrationsModule.forFeature([Audit_Initial1767600000000]),
  ],
  providers: [AuditService, AuditChainHeadsService],
  exports: [AuditService, AuditChainHeadsService],
})
export class AuditModule {}
