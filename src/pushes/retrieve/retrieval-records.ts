import { Injectable } from '@nestjs/common';
import type { AuditKind } from '../../audit/audit-entry.entity.js';
import { MAX_AUDITED } from '../../audit/audit-entry.entity.js';
import type { AuditEvent } from '../../audit/audit.service.js';
import { AuditService } from '../../audit/audit.service.js';
import { FilesService } from '../../files/files.service.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { Log } from '../../platform/logging/log.js';
import { newId } from '../../platform/random/random.js';
import { Settings } from '../../platform/settings/settings.js';
import type { PendingAttempt } from '../../platform/throttling/client-attempt.js';
import { PushNoticesService } from '../notices/push-notices.service.js';
import { PassphraseThrottle } from '../passphrase/passphrase-throttle.js';
import type { PushEvent } from '../push/push-events.js';
import { PassphraseFailed, PushEvents, PushExpired, PushRetrieved } from '../push/push-events.js';
import type { Push, PushChange } from '../push/push.entity.js';
import type { AppliedRule } from '../push/push.repository.js';
import { PushRepository } from '../push/push.repository.js';
import type { ProvenRecipient } from '../recipients/open-codes.service.js';
import { OpenCodesService } from '../recipients/open-codes.service.js';
import { codeRefused } from './opening-proof.js';

/** A request for a secret. */
export interface Retrieval {
  readonly push: Push;
  readonly urlToken: string;
  readonly visitor: Visitor;
  readonly now: Date;
  /** Counted before the passphrase that came with the request is checked. */
  readonly attempt?: PendingAttempt;
  /** Who opens a push that names its recipients, unless it is its owner. */
  readonly recipient?: ProvenRecipient;
}

/** What retrievals commit: views, never more than the limit of a push allows, and failures. */
@Injectable()
export class RetrievalRecords {
  constructor(
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly codes: OpenCodesService,
    private readonly throttle: PassphraseThrottle,
    private readonly notices: PushNoticesService,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly events: PushEvents,
    private readonly log: Log,
  ) {}

  /**
   * Counts a view, and commits it together with its audit entry and the changes to files and attempt. There is no change
   * if the push has ended before.
   */
  async countView(retrieval: Retrieval): Promise<AppliedRule> {
    const { push: found, visitor, now, recipient } = retrieval;
    const isOwner = found.isOwnedBy(visitor.userId);
    const isUncounted = isOwner && (found.ownerOnly || !this.settings.OWNER_VIEWS_COUNT);
    try {
      return await this.pushes.apply(
        found,
        (current) => {
          if (recipient && !this.codes.isNamed(current, recipient.email)) throw codeRefused(); // removed meanwhile
          return isUncounted ? current.viewUncounted(now) : current.view(now, isOwner);
        },
        (tx, push, change) => {
          this.addView(tx, { ...retrieval, push }, change, isUncounted);
        },
      );
    } catch (error) {
      throw recipient && isDuplicate(error) ? codeRefused() : error; // another view has used the code
    }
  }

  private addView(tx: Transaction, retrieval: Retrieval, change: PushChange, isUncounted: boolean): void {
    const { push, visitor, attempt, now, recipient } = retrieval;
    const isAudited = !isUncounted || push.ownerViewsAudited < MAX_AUDITED;
    const id = newId();
    if (isAudited)
      this.audit.record(tx, entryFor(retrieval, isUncounted ? 'owner_view' : 'view', id), visitor, now);
    if (recipient) this.codes.use(tx, push, recipient, id);
    for (const event of eventsOf(push, change, push.isOwnedBy(visitor.userId), now))
      this.events.record(tx, event, push, now, { withMessages: isAudited });
    if (attempt) this.throttle.delete(tx, attempt);
    if (push.filesCount > 0) this.files.keepForNewLinks(tx, push.id, now);
    if (push.filesCount > 0 && change.expiredOn) this.files.end(tx, [push.id], now);
  }

  /** Messages about it have the limit of its audit entries, so that nobody can make us send any number of them. */
  async recordFailure(retrieval: Retrieval, kind: AuditKind, event?: PassphraseFailed): Promise<void> {
    const { push, visitor, now } = retrieval;
    await this.unitOfWork.write((tx) => {
      this.pushes.countAuditEntryOrAbort(tx, push, 'failuresAudited');
      this.audit.record(tx, entryFor(retrieval, kind), visitor, now);
      if (event) this.events.notify(tx, event, push, now);
    });
  }

  async recordWrongPassphrase(retrieval: Retrieval, attempt: PendingAttempt): Promise<void> {
    const event = new PassphraseFailed(retrieval.push, retrieval.now);
    await Promise.all([
      this.markWrong(retrieval, attempt),
      this.recordFailure(retrieval, 'failed_passphrase', event),
    ]);
    this.events.emit(event);
  }

  /** Together with a mail to the owner if there is to be one. */
  private async markWrong({ push, visitor, now }: Retrieval, attempt: PendingAttempt): Promise<void> {
    const isNoticed =
      this.notices.isPassphraseNoticeDue(push, visitor, now) &&
      (await this.unitOfWork.write((tx) => {
        this.notices.addPassphraseNotice(tx, push, now);
        this.throttle.markWrong(tx, attempt);
      }));
    if (isNoticed) return;
    await this.unitOfWork.write((tx) => {
      this.throttle.markWrong(tx, attempt);
    });
  }

  /** Removes an attempt that was not wrong from the count. */
  async uncount(attempt: PendingAttempt): Promise<void> {
    await this.unitOfWork.write((tx) => {
      this.throttle.delete(tx, attempt);
    });
  }

  /** Does not throw, so that the original error is reported. */
  async tryToUncount(attempt: PendingAttempt): Promise<void> {
    await this.uncount(attempt).catch((cause: unknown) => {
      this.log.failure('A passphrase attempt could not be removed from the count', cause);
    });
  }
}

/** The entry of a retrieval in the audit log. */
function entryFor({ push, urlToken, visitor }: Retrieval, kind: AuditKind, id?: string): AuditEvent {
  return { id, pushId: push.id, kind, urlToken, byOwner: push.isOwnedBy(visitor.userId) };
}

/** What has happened when the change is committed. */
function eventsOf(push: Push, change: PushChange, byOwner: boolean, now: Date): PushEvent[] {
  const viewsRemaining = push.expireAfterViews - (change.viewsCounted ?? push.viewsCounted);
  const retrieved = new PushRetrieved(push, now, viewsRemaining, byOwner);
  return change.expiredOn ? [retrieved, new PushExpired(push, now, 'views')] : [retrieved];
}
