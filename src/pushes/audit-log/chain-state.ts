import type {
  EntityManager,
  EntityTarget,
  FindOptionsSelect,
  FindOptionsWhere,
  ObjectLiteral,
} from 'typeorm';
import { In } from 'typeorm';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditChainHead } from '../../audit/audit-chain-head.entity.js';
import { AuditSequence, NO_OWNER } from '../../audit/audit-sequence.entity.js';
import { execute } from '../../platform/database/statements/statements.js';
import { Push } from '../push/push.entity.js';
import type { AuditedPush } from './audit-line.dto.js';
import { AUDITED_PUSH, AuditLineDto } from './audit-line.dto.js';

/** What chains an entry to the one before it, and where the chain of its push and the log of its owner then end. */
export interface ChainLink {
  number: number;
  digest: string;
  head: AuditChainHead;
  sequence: AuditSequence;
}

/** Where the chains of some pushes and the logs of their owners end, in a transaction. */
export class ChainState {
  private readonly changed = new Set<ChainLink['head' | 'sequence']>();

  private constructor(
    private readonly pushes: ReadonlyMap<string, AuditedPush>,
    private readonly heads: ReadonlyMap<string, AuditChainHead>,
    private readonly sequences: Map<string, AuditSequence>,
  ) {}

  static async load(manager: EntityManager, pushIds: string[]): Promise<ChainState> {
    const pushes = await rowsByKey(manager, Push, 'id', pushIds, AUDITED_PUSH);
    const heads = await rowsByKey(manager, AuditChainHead, 'pushId', pushIds);
    const ownerIds = [...new Set([...pushes.values()].map(logOwnerOf))];
    return new ChainState(pushes, heads, await rowsByKey(manager, AuditSequence, 'id', ownerIds));
  }

  /** The link for an entry; undefined when its push is gone or has no head. */
  linkFor(entry: AuditEntry): ChainLink | undefined {
    const push = this.pushes.get(entry.pushId);
    const head = this.heads.get(entry.pushId);
    if (!push || !head) return undefined;

    const sequence = this.sequences.get(logOwnerOf(push)) ?? { id: logOwnerOf(push), last: 0 };
    const number = sequence.last + 1;
    return { number, digest: AuditLineDto.digestOf(entry, number, push, head.digest), head, sequence };
  }

  /** To be called when the link has been written. */
  append({ number, digest, head, sequence }: ChainLink): void {
    this.sequences.set(sequence.id, Object.assign(sequence, { last: number }));
    this.changed.add(sequence).add(Object.assign(head, { entries: head.entries + 1, digest }));
  }

  async save(manager: EntityManager): Promise<void> {
    for (const row of this.changed)
      await ('pushId' in row ? saveHead(manager, row) : saveSequence(manager, row));
  }
}

/** Whose log has the entries of a push. */
export function logOwnerOf({ userId }: Pick<AuditedPush, 'userId'>): string {
  return userId ?? NO_OWNER;
}

/** The rows with these keys. */
export async function rowsByKey<Row extends ObjectLiteral>(
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

async function saveHead(manager: EntityManager, { entries, digest, pushId }: AuditChainHead): Promise<void> {
  const sql = 'UPDATE audit_heads SET entries = ?, digest = ? WHERE push_id = ?';
  await execute(manager, { sql, values: [entries, digest, pushId] });
}

async function saveSequence(manager: EntityManager, { id, last }: AuditSequence): Promise<void> {
  const values = [last, id];
  const isNew =
    (await execute(manager, { sql: 'UPDATE audit_sequences SET last = ? WHERE id = ?', values })) === 0;
  if (isNew) await execute(manager, { sql: 'INSERT INTO audit_sequences (last, id) VALUES (?, ?)', values });
}
