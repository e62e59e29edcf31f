import { Injectable } from '@nestjs/common';
import type { AuditKind } from '../../audit/audit-entry.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { PassphraseFailed, PushEvents } from '../push/push-events.js';
import { PushRepository } from '../push/push.repository.js';
import type { Retrieval } from './retrieval.js';
import { entryFor } from './retrieval.js';
import { Log } from '../../platform/logging/log.js';
import type { PendingAttempt } from '../../platform/limits/client-attempt.js';
import { PushNoticesService } from '../notices/push-notices.service.js';
import { AttemptQueues, PassphraseThrottle } from '../passphrase/passphrase-throttle.js';

/** Counts the attempts to open pushes by a passphrase. */
@Injectable()
export class PassphraseAttempts {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queues: AttemptQueues,
    private readonly throttle: PassphraseThrottle,
    private readonly notices: PushNoticesService,
    private readonly log: Log,
  ) {}

  /** See AttemptQueues. */
  inTurn<T>({ push, visitor }: Retrieval, attempt: (hasWaited: boolean) => Promise<T>): Promise<T> {
    return this.queues.runAttempt(push.id, visitor.ip, attempt);
  }

  count({ push, visitor, now }: Retrieval): Promise<PendingAttempt> {
    return this.throttle.recordAttempt(push, visitor.ip, now);
  }

  /** Marks the attempt as wrong, together with a mail to the owner if there is to be one. */
  async markWrong({ push, attempt, visitor, now }: Retrieval): Promise<void> {
    const markWrong = (tx: Transaction) => {
      if (attempt) this.throttle.markWrong(tx, attempt);
    };
    const isNoticed =
      this.notices.isPassphraseNoticeDue(push, visitor, now) &&
      (await this.unitOfWork.write((tx) => {
        this.notices.addPassphraseNotice(tx, push, now);
        markWrong(tx);
      }));
    if (!isNoticed) await this.unitOfWork.write(markWrong);
  }

  async uncount({ attempt }: Retrieval): Promise<void> {
    if (!attempt) return;
    await this.unitOfWork.write((tx) => {
      this.throttle.delete(tx, attempt);
    });
  }

  /** Does not throw, so that the original error is reported. */
  async tryToUncount(retrieval: Retrieval): Promise<void> {
    await this.uncount(retrieval).catch((cause: unknown) => {
      this.log.failure('A passphrase attempt could not be removed from the count', cause);
    });
  }
}

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
