import { Injectable } from '@nestjs/common';
import { MAX_AUDITED } from '../../audit/audit-entry.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import type { FileLinks } from '../../files/files.service.js';
import { FilesService } from '../../files/files.service.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { newId } from '../../platform/random/random.js';
import { Settings } from '../../platform/settings/settings.js';
import { PassphraseThrottle } from '../passphrase/passphrase-throttle.js';
import type { PushEvent } from '../push/push-events.js';
import { PushEvents, PushExpired, PushRetrieved } from '../push/push-events.js';
import type { Push, PushChange } from '../push/push.entity.js';
import type { AppliedRule } from '../push/push.repository.js';
import { PushRepository } from '../push/push.repository.js';
import { OpenCodesService } from '../recipients/open-codes.service.js';
import type { Retrieval } from './retrieval.js';
import { entryFor, codeRefused } from './retrieval.js';

/** Counts views, never more than the limit of a push allows. */
@Injectable()
export class ViewsService {
  constructor(
    private readonly settings: Settings,
    private readonly pushes: PushRepository,
    private readonly codes: OpenCodesService,
    private readonly throttle: PassphraseThrottle,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly events: PushEvents,
  ) {}

  /** @param holder see OpeningChecks */
  createLinks(
    { push, visitor, now }: Retrieval,
    dataKey: Buffer,
    holder: string | undefined,
  ): Promise<FileLinks> {
    const { allowedNetworks } = push;
    const isOwner = push.isOwnedBy(visitor.userId);
    const reader = { baseUrl: visitor.baseUrl, isOwner, allowedNetworks, holder };
    return this.files.createLinks(push.id, dataKey, reader, now);
  }

  /**
   * Counts a view, and commits it together with its audit entry and the changes to files and attempt. There is no change
   * if the push has ended before.
   */
  async count(retrieval: Retrieval): Promise<AppliedRule> {
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
          this.record(tx, { ...retrieval, push }, change, isUncounted);
        },
      );
    } catch (error) {
      throw recipient && isDuplicate(error) ? codeRefused() : error; // another view has used the code
    }
  }

  private record(tx: Transaction, retrieval: Retrieval, change: PushChange, isUncounted: boolean): void {
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
}

/** What has happened when the change is committed. */
function eventsOf(push: Push, change: PushChange, byOwner: boolean, now: Date): PushEvent[] {
  const viewsRemaining = push.expireAfterViews - (change.viewsCounted ?? push.viewsCounted);
  const retrieved = new PushRetrieved(push, now, viewsRemaining, byOwner);
  return change.expiredOn ? [retrieved, new PushExpired(push, now, 'views')] : [retrieved];
}
