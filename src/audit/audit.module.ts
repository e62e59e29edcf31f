import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditHead } from './audit-head.entity.js';
import { AuditHeads } from './audit-heads.js';
import { AuditSequence } from './audit-sequence.entity.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry, AuditHead, AuditSequence])],
  providers: [AuditService, AuditHeads],
  exports: [AuditService, AuditHeads],
})
export class AuditModule {}
