import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { In, MoreThan, Repository } from 'typeorm';
import { newId } from '../platform/random/random.js';
import type { ListPage, Paged } from '../platform/http/paging/list-page.js';
import type { Visitor } from '../platform/http/visitor.js';
import { findPage } from '../platform/http/paging/find-page.js';
import { PreparedStatements } from '../platform/database/statements/statements.js';
import { batchesById } from '../platform/database/in-batches.js';
import { removeInBatches } from '../platform/database/remove-in-batches.js';
import type { Transaction } from '../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import type { AuditKind } from './audit-entry.entity.js';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditChainHeadsService, AuditSequence } from './audit-chain-heads.service.js';

const MAX_TEXT = 255;
/** Entries that are read together. */
const BATCH = 500;

/** What happened to a push. */
export interface AuditEvent {
  /** For a row that refers to the entry; otherwise a new one. */
  id?: string;
  pushId: string;
  kind: AuditKind;
  /** Whether the owner of the push caused it. */
  byOwner?: boolean;
  /**
   * The token, which is never stored: a referrer that contains it is cut to its origin. Without it, every referrer is.
   */
  urlToken?: string;
  /** The download link that was used. */
  linkId?: string;
  /** The file that it leads to: see `AuditEntry`. */
  fileNumber?: number;
}

/** The audit log of pushes. */
@Injectable()
export class AuditService {
  private readonly statements: PreparedStatements<AuditEntry>;

  constructor(
    @InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>,
    private readonly unitOfWork: UnitOfWork,
    private readonly heads: AuditChainHeadsService,
  ) {
    this.statements = new PreparedStatements(entries.manager.dataSource, AuditEntry);
  }

  /** Adds an entry, in the transaction of what it records. */
  record(tx: Transaction, event: AuditEvent, visitor: Visitor, now: Date): void {
    this.statements.insert(tx, this.entry(event, visitor, now));
  }

  /** Whether the first request of a download link has been recorded. */
  hasDownload(linkId: string): Promise<boolean> {
    return this.entries.existsBy({ linkId });
  }

  /** Removes the logs of pushes that will be deleted: deleting a long log together with its push would block others. */
  async removeLogs(pushIds: string[], signal?: AbortSignal): Promise<void> {
    if (pushIds.length === 0) return;
    await this.heads.markRemoving(pushIds);
    await removeInBatches(this.unitOfWork, this.entries, { pushId: In(pushIds) }, signal);
  }

  /** Removes what counts the entries of an account that is deleted. */
  async removeSequence(manager: EntityManager, ownerId: string): Promise<void> {
    await manager.delete(AuditSequence, { id: ownerId });
  }

  /** A page of a push's log, oldest first, or newest first. */
  list(pushId: string, page: ListPage, order: 'ASC' | 'DESC' = 'ASC'): Promise<Paged<AuditEntry[]>> {
    const log = this.entries
      .createQueryBuilder('entry')
      .where('entry.pushId = :pushId', { pushId })
      .orderBy('entry.id', order);
    return findPage(log, page);
  }

  /** All of a push's log in batches, oldest first. */
  all(pushId: string): AsyncGenerator<AuditEntry[]> {
    return batchesById(this.entries.manager, AuditEntry, BATCH, { where: { pushId } });
  }

  /** When these entries were created. */
  async timesOf(ids: string[]): Promise<Map<string, Date>> {
    if (ids.length === 0) return new Map();
    const found = await this.entries.find({ select: { id: true, createdAt: true }, where: { id: In(ids) } });
    return new Map(found.map(({ id, createdAt }) => [id, createdAt]));
  }

  /** The entry of the same push after this one. */
  findAfter({ pushId, id }: AuditEntry): Promise<AuditEntry | null> {
    return this.entries.findOne({ where: { pushId, id: MoreThan(id) }, order: { id: 'ASC' } });
  }

  private entry(event: AuditEvent, visitor: Visitor, now: Date): AuditEntry {
    return {
      id: event.id ?? newId(),
      pushId: event.pushId,
      kind: event.kind,
      ...clientColumns(visitor, event.urlToken),
      byOwner: event.byOwner ?? false,
      linkId: event.linkId ?? null,
      fileNumber: event.fileNumber ?? null,
      createdAt: now,
      ownerId: null,
      number: null,
      digest: null,
    };
  }
}

/**
 * The client that caused what an entry records.
 * @param urlToken see AuditEvent
 */
export function clientColumns({ ip, userAgent, referrer }: Visitor, urlToken: string | undefined) {
  return { ip, userAgent: shortened(userAgent), referrer: shortened(withoutToken(referrer, urlToken)) };
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : Array.from(text).slice(0, MAX_TEXT).join('');
}

function withoutToken(referrer: string, urlToken: string | undefined): string {
  if (referrer === '') return '';
  if (urlToken !== undefined && !decoded(referrer).includes(urlToken)) return referrer;
  const url = URL.parse(referrer);
  return url && /^https?:$/.test(url.protocol) ? url.origin : '';
}

/** Character by character, so that a malformed part elsewhere cannot hide a token; tokens are ASCII. */
function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
