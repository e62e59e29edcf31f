import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource, In, MoreThan } from 'typeorm';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditChainHead } from '../../audit/audit-chain-heads.service.js';
import { Pace } from '../../platform/database/pace.js';
import { inSnapshot } from '../../platform/database/snapshot.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import { Push } from '../push/push.entity.js';
import type { AuditedPush } from './audit-line.dto.js';
import { AUDITED_PUSH, AuditLineDto } from './audit-line.dto.js';
import { logOwnerOf } from './chain-state.js';
import { engineOf } from '../../platform/database/engines/engines.js';

/** Pushes that are read from the same snapshot of the database, and about how many entries of them. */
const BATCH = 200;
const BATCH_ENTRIES = 500;

export interface BrokenChain {
  /** The digest of the push's url_token. */
  push: string;
  /** The number of the first entry that does not follow from the one before it; null when the last entries are missing. */
  brokenAt: number | null;
}

/** What was found in the audit logs of all pushes. */
export interface Verification {
  pushes: number;
  /** Entries that are chained, and those that are not yet. */
  entries: number;
  unchained: number;
  /** Pushes that are being removed, which may lack entries. */
  removing: number;
  broken: number;
}

/** Checks the chains of audit entries. */
@Injectable()
export class AuditVerificationService {
  private readonly heads: PreparedStatements<AuditChainHead>;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    this.heads = new PreparedStatements(dataSource, AuditChainHead);
  }

  /** Checks every push, while the service runs; calls `report` for each whose chain is broken. */
  async verify(report: (broken: BrokenChain) => void): Promise<Verification> {
    const found = { pushes: 0, entries: 0, unchained: 0, removing: 0, broken: 0 };
    const isFile = engineOf(this.dataSource).fileOf(this.dataSource.options) !== undefined;
    const pace = new Pace();
    for (let after = ''; ;) {
      const last = await inSnapshot(this.dataSource, (manager) =>
        this.verifyBatch(manager, after, found, report),
      );
      if (last === undefined) return found;
      after = last;
      if (isFile) await pace.pause(); // SQLite's log grows while somebody reads
    }
  }

  /** Returns the id of the last push of the batch. */
  private async verifyBatch(
    manager: EntityManager,
    after: string,
    counts: Verification,
    report: (broken: BrokenChain) => void,
  ): Promise<string | undefined> {
    const pushes = await manager.find(Push, {
      select: AUDITED_PUSH,
      where: { id: MoreThan(after) },
      order: { id: 'ASC' },
      take: BATCH,
    });
    const heads = await this.heads.findWithin(manager, 'pushId', idsOf(pushes));
    const batch = thoseWithFewEntries(pushes, heads);
    const found = await manager.findBy(AuditEntry, { pushId: In(idsOf(batch)) });
    const entriesOf = Map.groupBy(found, ({ pushId }) => pushId);
    for (const push of batch) {
      const entries = entriesOf.get(push.id) ?? [];
      const chained = entries.filter(({ ownerId }) => ownerId !== null);
      const head = heads.get(push.id);
      const broken = head?.removing ? undefined : findBreak(push, chained, entries.length, head);
      counts.pushes += 1;
      counts.entries += chained.length;
      counts.unchained += entries.length - chained.length;
      counts.removing += Number(head?.removing ?? false);
      if (!broken) continue;
      counts.broken += 1;
      report(broken);
    }
    return batch.at(-1)?.id;
  }
}

/** As many of the first as have not too many entries together, but at least one. */
function thoseWithFewEntries(
  pushes: AuditedPush[],
  heads: ReadonlyMap<string, AuditChainHead>,
): AuditedPush[] {
  let entries = 0;
  const tooMany = pushes.findIndex(
    ({ id }, index) => (entries += heads.get(id)?.entries ?? 1) > BATCH_ENTRIES && index > 0,
  );
  return tooMany < 0 ? pushes : pushes.slice(0, tooMany);
}

function idsOf(pushes: AuditedPush[]): string[] {
  return pushes.map(({ id }) => id);
}

/** Where the chain of a push is broken; undefined when it is whole. */
function findBreak(
  push: AuditedPush,
  chained: AuditEntry[],
  count: number,
  head: AuditChainHead | undefined,
): BrokenChain | undefined {
  let previous = '';
  for (const entry of chained.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0))) {
    const digest = AuditLineDto.digestOf(entry, entry.number ?? 0, push, previous);
    if (entry.digest !== digest || entry.ownerId !== logOwnerOf(push))
      return { push: push.tokenDigest, brokenAt: entry.number };
    previous = digest;
  }
  const isWhole = head ? head.entries === chained.length && head.digest === previous : chained.length === 0;
  return isWhole && count > 0 ? undefined : { push: push.tokenDigest, brokenAt: null }; // each has at least its creation
}
