import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditChainHead } from './audit-chain-head.entity.js';
import { AuditChainHeads } from './audit-chain-heads.js';
import { AuditSequence } from './audit-sequence.entity.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry, AuditChainHead, AuditSequence])],
  providers: [AuditService, AuditChainHeads],
  exports: [AuditService, AuditChainHeads],
})
export class AuditModule {}
