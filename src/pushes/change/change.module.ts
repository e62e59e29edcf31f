import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { PushModule } from '../push/push.module.js';
import { RecipientsModule } from '../recipients/recipients.module.js';
import { ChangesService } from './changes.service.js';

/** Changing the limits and recipients of pushes. */
@Module({
  imports: [PushModule, RecipientsModule, AuditModule],
  providers: [ChangesService],
  exports: [ChangesService],
})
export class ChangeModule {}
