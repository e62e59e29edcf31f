import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { FilesModule } from '../../files/files.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { LinkMailsModule } from '../link-mails/link-mails.module.js';
import { PushModule } from '../push/push.module.js';
import { RecipientsModule } from '../recipients/recipients.module.js';
import { OwnPushesService } from './own-pushes.service.js';
import { SealedSearches } from './sealed-searches.js';

/** The lists of an owner on the pages. */
@Module({
  imports: [PushModule, LinkMailsModule, RecipientsModule, AuditModule, FilesModule, SealingModule],
  providers: [OwnPushesService, SealedSearches],
  exports: [OwnPushesService, SealedSearches],
})
export class OwnerListsModule {}
