import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditChainHeadsService, AuditChainHead } from '../../audit/audit-chain-heads.service.js';
import { Pace } from '../../platform/database/pace.js';
import { runQuery } from '../../platform/database/statements/statements.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Job } from '../../platform/scheduling/jobs.js';
import { ChainState, ChainStatements } from './chain-state.js';

/** Entries in a batch: few, because a transaction blocks the others. */
const BATCH = 100;

interface NewEntry {
  id: string;
  pushId: string;
  /** The head of its push; null if it has none yet. */
  headId: string | null;
}

/**
 * Chains audit entries after they were committed: gives each its number in the log of its owner, and the digest that
 * binds it to the push's entry before it. Requests that write entries neither wait for this nor take part in it.
 */
@Injectable()
export class AuditChainService {
  private readonly statements: ChainStatements;
  private readonly newEntries: string;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly heads: AuditChainHeadsService,
  ) {
    this.statements = new ChainStatements(dataSource);
    this.newEntries = dataSource.manager
      .createQueryBuilder(AuditEntry, 'entry')
      .select('entry.id', 'id')
      .addSelect('entry.pushId', 'pushId')
      .addSelect('head.pushId', 'headId')
      .leftJoin(AuditChainHead, 'head', 'head.pushId = entry.pushId')
      .useIndex('audit_entries_of_owner') // MySQL would scan the primary key
      .where('entry.ownerId IS NULL AND entry.number IS NULL AND entry.id > :after')
      .orderBy('entry.id')
      .limit(BATCH)
      .getQuery();
  }

  @Job({
    name: 'audit-chain',
    every: CronExpression.EVERY_MINUTE,
    title: 'overview.auditChain',
    isExclusive: true,
  })
  chainRegularly(_now: Date, signal: AbortSignal): Promise<void> {
    return this.chainNewEntries(signal);
  }

  /** Chains all new entries, the oldest first. Any number of processes may do so at the same time. */
  async chainNewEntries(signal?: AbortSignal): Promise<void> {
    const pace = new Pace();
    let after = '';
    while (!signal?.aborted) {
      const batch = (await runQuery(this.dataSource, this.newEntries, { after })) as unknown as NewEntry[];
      if (batch.length > 0) await this.chain(batch);
      if (batch.length < BATCH) return;

      after = batch.at(-1)?.id ?? after; // entries before it are no longer new but still in the index, and slow
      await pace.pause();
    }
  }

  private async chain(batch: NewEntry[]): Promise<void> {
    await this.heads.ensure(pushIdsOf(batch.filter(({ headId }) => headId === null)));
    const ids = batch.map(({ id }) => id);
    await this.unitOfWork.run(async (manager) => {
      await this.heads.lockWithin(manager);
      const state = await ChainState.load(this.statements, manager, pushIdsOf(batch));
      const entries = await this.statements.entries.findWithin(manager, 'id', ids);
      for (const id of ids) {
        const entry = entries.get(id); // another process may have chained or removed it
        if (entry?.ownerId === null) state.append(entry);
      }
      await state.save(this.statements, manager);
    });
  }
}

function pushIdsOf(entries: NewEntry[]): string[] {
  return [...new Set(entries.map(({ pushId }) => pushId))];
}
