import { setImmediate } from 'node:timers/promises';
import { Injectable, NotFoundException } from '@nestjs/common';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import type { FileNames } from '../../files/files.service.js';
import { FilesService } from '../../files/files.service.js';
import type { LogFormat } from '../../platform/http/log-lines.js';
import { logHead, logLines } from '../../platform/http/log-lines.js';
import type { ListPage, Paged } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { OwnLinkMailsService } from '../link-mails/own-link-mail.js';
import { RecipientsService } from '../recipients/recipients.service.js';
import { OwnPushDto } from '../push/push.dto.js';
import type { Push } from '../push/push.entity.js';
import type { OwnerFields } from '../push/push-seal.js';
import { PushSeal } from '../push/push-seal.js';
import { PushRepository } from '../push/push.repository.js';
import { ownId, PushesService } from '../push/pushes.service.js';
import type { OwnPushFilter } from './own-push-filter.js';
import type {
  ActivityRow,
  ListedPush,
  OwnActivity,
  OwnPushCounts,
  DeletionOutcome,
  Views,
} from './own-push-list.js';
import { inBatches } from '../../platform/database/in-batches.js';
import { ACTIVITY_COLUMNS, OwnPushList } from './own-push-list.js';

const MAX_TURN_MS = 8;

/** Yields to the event loop during long work, so that other requests are served. `signal` stops the work. */
class EventLoopTurns {
  private beganAt = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  /**
   * Yields; to be awaited after each short step.
   * @throws the reason of `signal`
   */
  async yield(): Promise<void> {
    this.signal?.throwIfAborted();
    if (performance.now() - this.beganAt < MAX_TURN_MS) return;
    await setImmediate();
    this.beganAt = performance.now();
  }
}

/** How many of an owner's pushes are searched for one page. */
export const MAX_SEARCHED = 2000;
/** Few, because SQLite reads them in one turn of the event loop, and rows with large payloads are slow to read. */
const BATCH = 25;

/** The pushes of one account, for the pages of its owner. */
@Injectable()
export class OwnPushesService {
  constructor(
    private readonly repository: PushRepository,
    private readonly pushes: PushesService,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly linkMails: OwnLinkMailsService,
    private readonly recipients: RecipientsService,
    private readonly files: FilesService,
  ) {}

  /**
   * A page of the owner's pushes, newest first unless the filter says otherwise. Names and notes are sealed, so they are unsealed and compared here,
   * for a limited number of pushes, and no further than to the end of the page.
   */
  async list(
    visitor: Visitor,
    filter: OwnPushFilter,
    page: ListPage,
    signal?: AbortSignal,
    now = new Date(),
  ): Promise<OwnPushList> {
    return filter.isByEndOnly
      ? this.listByEnd(visitor, filter, page, now)
      : this.search(visitor, filter, page, now, signal);
  }

  /** @param known what has been counted for a list, and is not counted again */
  async count(
    visitor: Visitor,
    known: Partial<OwnPushCounts> = {},
    now = new Date(),
  ): Promise<OwnPushCounts> {
    const userId = ownId(visitor);
    return {
      active: known.active ?? (await this.repository.countActive(userId, now)),
      expired: known.expired ?? (await this.repository.countExpired(userId, now)),
    };
  }

  /** For an administrator, who sees nothing else of them. */
  countActiveOf(userId: string, now = new Date()): Promise<number> {
    return this.repository.countActive(userId, now);
  }

  /** Those of these pushes that the visitor owns, once each. */
  async findSeveral(visitor: Visitor, references: string[], now = new Date()): Promise<ListedPush[]> {
    const found: ListedPush[] = [];
    for (const reference of new Set(references)) {
      const push = await this.repository.findReferenced(ownId(visitor), reference);
      if (push) found.push(listed(push, this.pushSeal.unsealOwnerFields(push), visitor, now));
    }
    return found;
  }

  /** @throws NotFoundException also when the push belongs to another account */
  async activity(urlToken: string, visitor: Visitor, page: ListPage, now = new Date()): Promise<OwnActivity> {
    const push = await this.repository.findOwn(urlToken, visitor);
    const entries = await this.audit.list(push.id, page, 'DESC');
    const fields = { ...this.pushSeal.unsealOwnerFields(push), urlToken };
    return {
      ...viewsOf(push, fields, visitor, now),
      notices: push.noticesFor(visitor.userId),
      entries,
      mails: await this.linkMails.ofEntries(push, entries.body),
      recipients: await this.recipients.ofEntries(push, entries.body),
      lastOpenings: await this.recipients.lastOpenings(push, fields.recipients ?? []),
      entered: await this.recipients.enteredIn(push, entries.body),
      files: { count: push.filesCount, ...(await this.fileNames(push, now)) },
      ended: await this.endOnPage(entries, push, now),
    };
  }

  /**
   * The whole log of a push for its owner, oldest first, in parts.
   * @throws NotFoundException also when the push belongs to another account
   */
  async *log(
    urlToken: string,
    visitor: Visitor,
    format: LogFormat,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const push = await this.repository.findOwn(urlToken, visitor);
    const turns = new EventLoopTurns(signal);
    let head = logHead(format, ACTIVITY_COLUMNS);
    for await (const entries of this.audit.all(push.id)) {
      const openedBy = await this.recipients.ofEntries(push, entries);
      const entered = await this.recipients.enteredIn(push, entries);
      const rows = entries.map((entry) => rowOf(entry, openedBy.get(entry.id) ?? entered.get(entry.id)));
      yield head + logLines(format, rows, ACTIVITY_COLUMNS);
      head = '';
      await turns.yield();
    }
  }

  /** Names are sealed by the key of the secret, and end with it. A browser that has encrypted files gives them none. */
  private async fileNames(push: Push, now: Date): Promise<FileNames> {
    if (push.filesCount === 0 || push.clientEncrypted || push.isExpired(now))
      return { names: [], missing: 0, missingNames: [] };
    return this.files.names(push.id, this.pushSeal.dataKeyWithoutPassphrase(push));
  }

  /** A limit that is reached adds no entry to the log, so its place among them is found by its time. */
  private async endOnPage(
    { body: entries, page, totalPages }: Paged<AuditEntry[]>,
    push: Push,
    now: Date,
  ): Promise<OwnActivity['ended']> {
    const at = push.endedByTimeOn(now);
    if (!at) return undefined;
    const index = entries.findIndex(({ createdAt }) => createdAt <= at);
    if (index < 0) return page === totalPages ? { at, index: entries.length } : undefined;
    const [first] = entries;
    const newer = index === 0 && first ? await this.audit.findAfter(first) : undefined;
    return newer && newer.createdAt <= at ? undefined : { at, index };
  }

  /** Ends those of these pushes that the visitor owns, each by itself. Repeating it changes nothing. */
  async deleteSeveral(visitor: Visitor, references: string[]): Promise<DeletionOutcome> {
    const outcome = { deleted: 0, unknown: 0 };
    for (const reference of new Set(references)) {
      outcome[(await this.deleteOwn(visitor, reference)) ? 'deleted' : 'unknown'] += 1;
    }
    return outcome;
  }

  private async deleteOwn(visitor: Visitor, reference: string): Promise<boolean> {
    const push = await this.repository.findReferenced(ownId(visitor), reference);
    if (!push) return false;
    try {
      await this.pushes.deleteOwn(push, visitor);
      return true;
    } catch (error) {
      if (error instanceof NotFoundException) return false; // removed in the meantime
      throw error;
    }
  }

  private async listByEnd(
    visitor: Visitor,
    { state, order }: OwnPushFilter,
    page: ListPage,
    now: Date,
  ): Promise<OwnPushList> {
    const which = state === 'active' ? 'active' : 'expired';
    const [found, total] = await (which === 'active'
      ? this.repository.findActive(ownId(visitor), now, page, order)
      : this.repository.findExpired(ownId(visitor), now, page));
    const rows = found.map((push) => listed(push, this.pushSeal.unsealOwnerFields(push), visitor, now));
    return OwnPushList.ofAll(which, rows, page, total);
  }

  private async search(
    visitor: Visitor,
    filter: OwnPushFilter,
    page: ListPage,
    now: Date,
    signal?: AbortSignal,
  ): Promise<OwnPushList> {
    const rows: ListedPush[] = [];
    const turns = new EventLoopTurns(signal);
    let searched = 0;
    let found = 0;
    let last: Push | undefined;
    for await (const push of this.newestFirst(ownId(visitor), filter.before)) {
      if (searched === MAX_SEARCHED) return OwnPushList.ofSearched(rows, page, found, last);
      searched += 1;
      last = push;
      const fields = this.fieldsIfFound(push, filter, found >= page.skip, now);
      await turns.yield();
      if (!fields) continue;
      found += 1;
      if (found > page.skip + page.take) return OwnPushList.ofSearchedMore(rows, page);
      if (found > page.skip && fields !== UNREAD) rows.push(listed(push, fields, visitor, now));
    }
    return OwnPushList.ofSearched(rows, page, found);
  }

  /** Unseals only what has to be compared or shown. */
  private fieldsIfFound(push: Push, filter: OwnPushFilter, isShown: boolean, now: Date) {
    if (!filter.matches(push, now)) return undefined;
    if (!filter.hasText && !isShown) return UNREAD;
    const fields = this.pushSeal.unsealOwnerFields(push);
    return filter.matchesText(fields) ? fields : undefined;
  }

  private async *newestFirst(userId: string, start: string | undefined): AsyncIterable<Push> {
    const next = (last?: Push) => this.repository.findOwnBefore(userId, last?.id ?? start, BATCH);
    for await (const batch of inBatches(BATCH, next)) yield* batch;
  }
}

/** The fields of a push on an earlier page. */
const UNREAD = Symbol('unread');

function rowOf(entry: AuditEntry, email: string | undefined): ActivityRow {
  const { createdAt, kind, byOwner, fileNumber, ip, userAgent, referrer } = entry;
  return {
    created_at: createdAt.toISOString(),
    kind,
    by_owner: byOwner,
    ...(email !== undefined && { email }),
    ...(fileNumber !== null && { file: fileNumber }),
    ip,
    user_agent: userAgent,
    referrer,
  };
}

function listed(push: Push, fields: OwnerFields, visitor: Visitor, now: Date): ListedPush {
  return {
    ...viewsOf(push, fields, visitor, now),
    reference: fields.urlToken || push.id,
    files: push.filesCount,
  };
}

function viewsOf(push: Push, fields: OwnerFields, visitor: Visitor, now: Date): Views {
  return {
    push: OwnPushDto.ofOwn(push, fields, visitor, now),
    opened: push.viewsCounted,
    lastOpenedAt: push.lastViewedAt,
  };
}
