import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditChainHead } from './audit-chain-head.entity.js';
import { AuditChainHeadsService } from './audit-chain-heads.service.js';
import { AuditSequence } from './audit-sequence.entity.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry, AuditChainHead, AuditSequence])],
  providers: [AuditService, AuditChainHeadsService],
  exports: [AuditService, AuditChainHeadsService],
})
export class AuditModule {}
