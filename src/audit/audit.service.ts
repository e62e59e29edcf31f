import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource, In } from 'typeorm';
import { newId } from '../common/new-id.js';
import type { Page } from '../common/page.js';
import { Paged } from '../common/page.js';
import type { Visitor } from '../common/visitor.js';
import { findPage } from '../database/find-page.js';
import { removeInUnits } from '../database/remove-in-units.js';
import { Table } from '../database/table.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { NewRow } from '../database/write.js';
import { insertRows } from '../database/write.js';
import { AuditEntryDto } from './audit-entry.dto.js';
import type { AuditKind } from './audit-entry.entity.js';
import { AuditEntry } from './audit-entry.entity.js';

const LONGEST_TEXT = 255;

/** What happened to a push. */
export interface Happening {
  pushId: string;
  kind: AuditKind;
  /** Never written down: a referrer that holds it is cut before its path. Where it is not known every referrer is. */
  urlToken?: string;
  /** The download link that was followed. */
  linkId?: string;
}

/** The audit log of pushes. */
@Injectable()
export class AuditService {
  private readonly table: Table<AuditEntry>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.table = new Table(dataSource, AuditEntry);
  }

  /** Writes an entry as part of the unit of work that does what it tells. */
  record(manager: EntityManager, happening: Happening, visitor: Visitor, now: Date): Promise<void> {
    return insertRows(manager, [this.newRow(happening, visitor, now)]);
  }

  /** An entry for rows that are kept together with what it tells. */
  newRow(happening: Happening, visitor: Visitor, now: Date): NewRow {
    return this.table.newRow({
      id: newId(),
      pushId: happening.pushId,
      kind: happening.kind,
      ip: visitor.ip,
      userAgent: shortened(visitor.userAgent),
      referrer: shortened(withoutToken(visitor.referrer, happening.urlToken)),
      linkId: happening.linkId ?? null,
      createdAt: now,
    });
  }

  /** Removes the logs of pushes that are about to go: with its push in one statement, a long one would hold up others. */
  async removeLogs(pushIds: string[], stop?: AbortSignal): Promise<void> {
    if (pushIds.length === 0) return;
    await removeInUnits(this.dataSource, this.unitOfWork, AuditEntry, { pushId: In(pushIds) }, stop);
  }

  /** A page of a push's log, oldest first. */
  async list(pushId: string, page: Page): Promise<Paged<AuditEntryDto[]>> {
    const log = this.dataSource.manager
      .createQueryBuilder(AuditEntry, 'entry')
      .where('entry.pushId = :pushId', { pushId })
      .orderBy('entry.id', 'ASC');
    const [entries, total] = await findPage(log, page);
    return new Paged(
      entries.map((entry) => AuditEntryDto.of(entry)),
      page.number,
      total,
    );
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : Array.from(text).slice(0, LONGEST_TEXT).join('');
}

function withoutToken(referrer: string, urlToken: string | undefined): string {
  if (urlToken !== undefined && !decoded(referrer).includes(urlToken)) return referrer;
  const url = URL.parse(referrer);
  return url && /^https?:$/.test(url.protocol) ? url.origin : '';
}

/** Sign by sign, because what is broken elsewhere in it must not hide a token; tokens are ASCII. */
function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
