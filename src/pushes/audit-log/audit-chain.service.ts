import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource } from 'typeorm';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditChainHeadsService } from '../../audit/audit-chain-heads.service.js';
import { Pace } from '../../platform/database/pace.js';
import { execute } from '../../platform/database/statements/statements.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { ChainLink } from './chain-state.js';
import { rowsByKey, ChainState } from './chain-state.js';

/** Entries in a batch: few, because a transaction blocks the others. */
const BATCH = 100;

type NewEntry = Pick<AuditEntry, 'id' | 'pushId'>;

/**
 * Chains audit entries after they were committed: gives each its number in the log of its owner, and the digest that
 * binds it to the push's entry before it. Requests that write entries neither wait for this nor take part in it.
 */
@Injectable()
export class AuditChainService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly heads: AuditChainHeadsService,
  ) {}

  /** Chains all new entries, the oldest first. Any number of processes may do so at the same time. */
  async chainNewEntries(signal?: AbortSignal): Promise<void> {
    const pace = new Pace();
    let after = '';
    while (!signal?.aborted) {
      const batch = await this.findNew(after);
      if (batch.length > 0) await this.chain(batch);
      if (batch.length < BATCH) return;

      after = batch.at(-1)?.id ?? after; // entries before it are no longer new but still in the index, and slow
      await pace.pause();
    }
  }

  private findNew(after: string): Promise<NewEntry[]> {
    return this.dataSource.manager
      .createQueryBuilder(AuditEntry, 'entry')
      .select(['entry.id', 'entry.pushId'])
      .useIndex('audit_entries_of_owner') // MySQL would scan the primary key
      .where('entry.ownerId IS NULL AND entry.number IS NULL AND entry.id > :after', { after })
      .orderBy('entry.id')
      .limit(BATCH)
      .getMany();
  }

  private async chain(batch: NewEntry[]): Promise<void> {
    const pushIds = [...new Set(batch.map(({ pushId }) => pushId))];
    await this.heads.ensure(pushIds);
    await this.unitOfWork.run(async (manager) => {
      await this.heads.lockWithin(manager);
      const state = await ChainState.load(manager, pushIds);
      for (const entry of await findStillUnchained(manager, batch)) {
        const link = state.linkFor(entry);
        if (link && (await write(manager, entry, link))) state.append(link);
      }
      await state.save(manager);
    });
  }
}

/** Another process may have chained some of the batch, or removed it with its push. */
async function findStillUnchained(manager: EntityManager, batch: NewEntry[]): Promise<AuditEntry[]> {
  const ids = batch.map(({ id }) => id);
  const entries = await rowsByKey(manager, AuditEntry, 'id', ids);
  return ids.flatMap((id) => entries.get(id) ?? []).filter(({ ownerId }) => ownerId === null);
}

/** Returns whether the entry was still there. */
async function write(
  manager: EntityManager,
  { id }: AuditEntry,
  { sequence, number, digest }: ChainLink,
): Promise<boolean> {
  const sql = 'UPDATE audit_entries SET owner_id = ?, number = ?, digest = ? WHERE id = ?';
  return (await execute(manager, { sql, values: [sequence.id, number, digest, id] })) === 1;
}
