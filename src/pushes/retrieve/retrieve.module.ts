import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { AccountsModule } from '../../auth/users/accounts.module.js';
import { FilesModule } from '../../files/files.module.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { LinkMail } from '../link-mails/link-mail.entity.js';
import { NoticesModule } from '../notices/notices.module.js';
import { AttemptQueues, PassphraseAttempt, PassphraseThrottle } from '../passphrase/passphrase-throttle.js';
import { PushModule } from '../push/push.module.js';
import { RecipientsModule } from '../recipients/recipients.module.js';
import { PassphraseAttempts_Initial1767520000000 } from './initial.migration.js';
import { RetrievalFailures, PassphraseAttempts } from './retrieval-failures.js';
import { RetrievalTurns } from './retrieval-turns.js';
import { RetrievalsService, OpeningChecks } from './retrievals.service.js';
import { ViewsService } from './views.service.js';
import { VisitsService } from './visits.service.js';

/** Retrieving pushes, also with a passphrase. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PassphraseAttempt, LinkMail]),
    MigrationsModule.forFeature([PassphraseAttempts_Initial1767520000000]),
    AccountsModule,
    PushModule,
    RecipientsModule,
    NoticesModule,
    AuditModule,
    FilesModule,
  ],
  providers: [
    RetrievalsService,
    RetrievalTurns,
    OpeningChecks,
    PassphraseAttempts,
    PassphraseThrottle,
    AttemptQueues,
    ViewsService,
    RetrievalFailures,
    VisitsService,
  ],
  exports: [RetrievalsService, VisitsService, PassphraseThrottle, AttemptQueues],
})
export class RetrieveModule {}
