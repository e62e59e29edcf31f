import type {
  EntityManager,
  EntityTarget,
  FindOptionsSelect,
  FindOptionsWhere,
  ObjectLiteral,
} from 'typeorm';
import { In } from 'typeorm';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditHead } from '../../audit/audit-head.entity.js';
import { AuditSequence, NO_OWNER } from '../../audit/audit-sequence.entity.js';
import { execute } from '../../database/statements/statements.js';
import { Push } from '../push/push.entity.js';
import type { AuditedPush } from './audit-line.dto.js';
import { AUDITED_PUSH, AuditLineDto } from './audit-line.dto.js';

/** What chains an entry to the one before it, and where the chain of its push and the log of its owner then end. */
export interface ChainLink {
  number: number;
  digest: string;
  head: AuditHead;
  sequence: AuditSequence;
}

/** Where the chains of some pushes and the logs of their owners end, in a transaction. */
export class ChainEnds {
  private readonly moved = new Set<ChainLink['head' | 'sequence']>();

  private constructor(
    private readonly pushes: ReadonlyMap<string, AuditedPush>,
    private readonly heads: ReadonlyMap<string, AuditHead>,
    private readonly sequences: Map<string, AuditSequence>,
  ) {}

  static async load(manager: EntityManager, pushIds: string[]): Promise<ChainEnds> {
    const pushes = await byKey(manager, Push, 'id', pushIds, AUDITED_PUSH);
    const heads = await byKey(manager, AuditHead, 'pushId', pushIds);
    const ownerIds = [...new Set([...pushes.values()].map(logOf))];
    return new ChainEnds(pushes, heads, await byKey(manager, AuditSequence, 'id', ownerIds));
  }

  /** The link for an entry; undefined when its push is gone or has no head. */
  linkTo(entry: AuditEntry): ChainLink | undefined {
    const push = this.pushes.get(entry.pushId);
    const head = this.heads.get(entry.pushId);
    if (!push || !head) return undefined;

    const sequence = this.sequences.get(logOf(push)) ?? { id: logOf(push), last: 0 };
    const number = sequence.last + 1;
    return { number, digest: AuditLineDto.digestOf(entry, number, push, head.digest), head, sequence };
  }

  /** To be called when the link has been written. */
  move({ number, digest, head, sequence }: ChainLink): void {
    this.sequences.set(sequence.id, Object.assign(sequence, { last: number }));
    this.moved.add(sequence).add(Object.assign(head, { entries: head.entries + 1, digest }));
  }

  async save(manager: EntityManager): Promise<void> {
    for (const end of this.moved)
      await ('pushId' in end ? saveHead(manager, end) : saveSequence(manager, end));
  }
}

/** Whose log has the entries of a push. */
export function logOf({ userId }: Pick<AuditedPush, 'userId'>): string {
  return userId ?? NO_OWNER;
}

/** The rows with these keys. */
export async function byKey<Row extends ObjectLiteral>(
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

async function saveHead(manager: EntityManager, { entries, digest, pushId }: AuditHead): Promise<void> {
  const sql = 'UPDATE audit_heads SET entries = ?, digest = ? WHERE push_id = ?';
  await execute(manager, { sql, values: [entries, digest, pushId] });
}

async function saveSequence(manager: EntityManager, { id, last }: AuditSequence): Promise<void> {
  const values = [last, id];
  const isNew =
    (await execute(manager, { sql: 'UPDATE audit_sequences SET last = ? WHERE id = ?', values })) === 0;
  if (isNew) await execute(manager, { sql: 'INSERT INTO audit_sequences (last, id) VALUES (?, ?)', values });
}
