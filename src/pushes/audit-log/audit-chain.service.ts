import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type {
  EntityManager,
  EntityTarget,
  FindOptionsSelect,
  FindOptionsWhere,
  ObjectLiteral,
} from 'typeorm';
import { DataSource, In, IsNull } from 'typeorm';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditHead } from '../../audit/audit-head.entity.js';
import { AuditHeads } from '../../audit/audit-heads.js';
import { AuditSequence, NO_OWNER } from '../../audit/audit-sequence.entity.js';
import { Pace } from '../../database/pace.js';
import { execute } from '../../database/statements.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Push } from '../push.entity.js';
import { AUDITED_PUSH, AuditLineDto } from './audit-line.dto.js';

/** Entries in a batch: few, because a transaction blocks the others. */
const BATCH = 100;

type NewEntry = Pick<AuditEntry, 'id' | 'pushId'>;

/**
 * Chains audit entries after they were committed: gives each its number in the log of its owner, and the digest that
 * binds it to the push's entry before it. Requests that write entries neither wait for this nor take part in it.
 */
@Injectable()
export class AuditChain {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly heads: AuditHeads,
  ) {}

  /** Chains all new entries, the oldest first. Any number of processes may do so at the same time. */
  async chainNew(stop?: AbortSignal): Promise<void> {
    const pace = new Pace();
    let after = '';
    while (!stop?.aborted) {
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
    await this.openHeads(batch);
    await this.unitOfWork.run(async (manager) => {
      await this.heads.lockWithin(manager);
      await this.chainWithin(manager, batch);
    });
  }

  private async openHeads(batch: NewEntry[]): Promise<void> {
    const pushIds = [...new Set(batch.map(({ pushId }) => pushId))];
    const open = await this.dataSource.manager.find(AuditHead, {
      select: { pushId: true },
      where: { pushId: In(pushIds) },
    });
    const isOpen = new Set(open.map(({ pushId }) => pushId));
    const missing = pushIds.filter((id) => !isOpen.has(id));
    if (missing.length > 0) await this.heads.open(missing);
  }

  /** Reads everything again: another process may have chained some of the batch, or removed it with its push. */
  private async chainWithin(manager: EntityManager, batch: NewEntry[]): Promise<void> {
    const pushIds = [...new Set(batch.map(({ pushId }) => pushId))];
    const pushes = await byKey(manager, Push, 'id', pushIds, AUDITED_PUSH);
    const heads = await byKey(manager, AuditHead, 'pushId', pushIds);
    const owners = [...new Set([...pushes.values()].map(ownerOf))];
    const sequences = await byKey(manager, AuditSequence, 'id', owners);
    const entries = await manager.find(AuditEntry, {
      where: { id: In(batch.map(({ id }) => id)), ownerId: IsNull() },
      order: { id: 'ASC' },
    });
    const moved = { heads: new Set<AuditHead>(), sequences: new Set<AuditSequence>() };
    for (const entry of entries) {
      const push = pushes.get(entry.pushId);
      const head = heads.get(entry.pushId);
      if (!push || !head) continue; // removed, or new heads are added next time

      const ownerId = ownerOf(push);
      const sequence = sequences.get(ownerId) ?? { id: ownerId, last: 0 };
      const number = sequence.last + 1;
      const digest = AuditLineDto.digestOf(entry, number, push, head.digest);
      const sql =
        'UPDATE audit_entries SET owner_id = ?, number = ?, digest = ? WHERE id = ? AND owner_id IS NULL';
      if ((await execute(manager, { sql, values: [ownerId, number, digest, entry.id] })) !== 1) continue;

      sequences.set(ownerId, sequence);
      moved.sequences.add(Object.assign(sequence, { last: number }));
      moved.heads.add(Object.assign(head, { entries: head.entries + 1, digest }));
    }
    await saveHeads(manager, moved.heads);
    await saveSequences(manager, moved.sequences);
  }
}

function ownerOf({ userId }: Pick<Push, 'userId'>): string {
  return userId ?? NO_OWNER;
}

async function byKey<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  key: keyof Row & string,
  keys: string[],
  select?: FindOptionsSelect<Row>,
): Promise<Map<string, Row>> {
  const where = { [key]: In(keys) } as FindOptionsWhere<Row>;
  const rows = await manager.find(entity, { where, ...(select && { select }) });
  return new Map(rows.map((row) => [row[key] as string, row]));
}

async function saveHeads(manager: EntityManager, heads: Iterable<AuditHead>): Promise<void> {
  const sql = 'UPDATE audit_heads SET entries = ?, digest = ? WHERE push_id = ?';
  for (const { entries, digest, pushId } of heads)
    await execute(manager, { sql, values: [entries, digest, pushId] });
}

async function saveSequences(manager: EntityManager, sequences: Iterable<AuditSequence>): Promise<void> {
  for (const { id, last } of sequences) {
    const values = [last, id];
    const sql = 'UPDATE audit_sequences SET last = ? WHERE id = ?';
    if ((await execute(manager, { sql, values })) === 0)
      await execute(manager, { sql: 'INSERT INTO audit_sequences (last, id) VALUES (?, ?)', values });
  }
}
