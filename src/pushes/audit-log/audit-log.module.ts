import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { LinkMailsModule } from '../link-mails/link-mails.module.js';
import { PushModule } from '../push/push.module.js';
import { RecipientsModule } from '../recipients/recipients.module.js';
import { AuditChainService } from './audit-chain.service.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditVerificationService } from './audit-verification.service.js';
import { PushAuditService } from './push-audit.service.js';

/** The audit logs of pushes, and their chains. */
@Module({
  imports: [PushModule, LinkMailsModule, RecipientsModule, AuditModule],
  providers: [AuditChainService, AuditLogService, AuditVerificationService, PushAuditService],
  exports: [AuditChainService, AuditLogService, AuditVerificationService, PushAuditService],
})
export class AuditLogModule {}
