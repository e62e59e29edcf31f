import { Injectable } from '@nestjs/common';
import type { AuditKind } from '../../audit/audit-entry.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { PassphraseFailed, PushEvents } from '../push/push-events.js';
import { PushRepository } from '../push/push.repository.js';
import { PassphraseAttempts } from './passphrase-attempts.js';
import type { Retrieval } from './retrieval.js';
import { entryFor } from './retrieval.js';

/** Records retrievals that fail. */
@Injectable()
export class RetrievalFailures {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly attempts: PassphraseAttempts,
    private readonly audit: AuditService,
    private readonly events: PushEvents,
  ) {}

  /** Messages about it have the limit of its audit entries, so that nobody can make us send any number of them. */
  async record(retrieval: Retrieval, kind: AuditKind, event?: PassphraseFailed): Promise<void> {
    const { push, visitor, now } = retrieval;
    await this.unitOfWork.write((tx) => {
      this.pushes.countAuditEntryOrAbort(tx, push, 'failuresAudited');
      this.audit.record(tx, entryFor(retrieval, kind), visitor, now);
      if (event) this.events.notify(tx, event, push, now);
    });
  }

  async recordWrongPassphrase(retrieval: Retrieval): Promise<void> {
    const event = new PassphraseFailed(retrieval.push, retrieval.now);
    await Promise.all([
      this.attempts.markWrong(retrieval),
      this.record(retrieval, 'failed_passphrase', event),
    ]);
    this.events.emit(event);
  }
}
