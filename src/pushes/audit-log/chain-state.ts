import type { EntityManager } from 'typeorm';
import { AuditChainHead } from '../../audit/audit-chain-head.entity.js';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditSequence, NO_OWNER } from '../../audit/audit-sequence.entity.js';
import { PreparedStatements, writeWithin } from '../../platform/database/statements/statements.js';
import { Push } from '../push/push.entity.js';
import type { AuditedPush } from './audit-line.dto.js';
import { AUDITED_PUSH, AuditLineDto } from './audit-line.dto.js';

/** Where the chains of some pushes and the logs of their owners end, in a transaction. */
export class ChainState {
  private readonly chained: AuditEntry[] = [];
  private readonly movedHeads = new Set<AuditChainHead>();
  private readonly newSequences = new Map<string, AuditSequence>();

  private constructor(
    private readonly pushes: ReadonlyMap<string, AuditedPush>,
    private readonly heads: ReadonlyMap<string, AuditChainHead>,
    private readonly sequences: ReadonlyMap<string, AuditSequence>,
  ) {}

  static async load(manager: EntityManager, pushIds: string[]): Promise<ChainState> {
    const { pushes, heads, sequences } = statementsFor(manager);
    const found = await pushes.findWithin(manager, 'id', pushIds, AUDITED_PUSH);
    const ownerIds = [...new Set([...found.values()].map(logOwnerOf))];
    return new ChainState(
      found,
      await heads.findWithin(manager, 'pushId', pushIds),
      await sequences.findWithin(manager, 'id', ownerIds),
    );
  }

  /** Chains an entry to the one before it, unless its push is gone or is being removed. */
  append(entry: AuditEntry): void {
    const push = this.pushes.get(entry.pushId);
    const head = this.heads.get(entry.pushId);
    if (!push || !head || head.removing) return;

    const sequence = this.sequenceOf(logOwnerOf(push));
    const number = sequence.last + 1;
    const digest = AuditLineDto.digestOf(entry, number, push, head.digest);
    this.chained.push(Object.assign(entry, { ownerId: sequence.id, number, digest }));
    this.movedHeads.add(Object.assign(head, { entries: head.entries + 1, digest }));
    sequence.last = number;
  }

  /** Whoever removes a push with its log meanwhile removes all of its entries, so those of others stay whole. */
  async save(manager: EntityManager): Promise<void> {
    const { entries, heads, sequences } = statementsFor(manager);
    await entries.updateWithin(manager, 'id', this.chained, ['ownerId', 'number', 'digest']);
    await heads.updateWithin(manager, 'pushId', [...this.movedHeads], ['entries', 'digest']);
    await sequences.updateWithin(manager, 'id', [...this.sequences.values()], ['last']);
    await writeWithin(manager, (tx) => {
      for (const sequence of this.newSequences.values()) sequences.insert(tx, sequence);
    });
  }

  private sequenceOf(id: string): AuditSequence {
    const known = this.sequences.get(id) ?? this.newSequences.get(id);
    if (known) return known;
    const sequence = { id, last: 0 };
    this.newSequences.set(id, sequence);
    return sequence;
  }
}

function statementsFor({ dataSource }: EntityManager) {
  return {
    entries: new PreparedStatements(dataSource, AuditEntry),
    heads: new PreparedStatements(dataSource, AuditChainHead),
    sequences: new PreparedStatements(dataSource, AuditSequence),
    pushes: new PreparedStatements(dataSource, Push),
  };
}

/** Whose log has the entries of a push. */
export function logOwnerOf({ userId }: Pick<AuditedPush, 'userId'>): string {
  return userId ?? NO_OWNER;
}
