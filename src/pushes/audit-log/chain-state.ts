import type { DataSource, EntityManager } from 'typeorm';
import { AuditChainHead, AuditSequence, NO_OWNER } from '../../audit/audit-chain-heads.service.js';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { PreparedStatements, writeWithin } from '../../platform/database/statements/statements.js';
import { Push } from '../push/push.entity.js';
import type { AuditedPush } from './audit-line.dto.js';
import { AUDITED_PUSH, AuditLineDto } from './audit-line.dto.js';

/** The statements by which entries are chained. */
export class ChainStatements {
  readonly entries: PreparedStatements<AuditEntry>;
  readonly pushes: PreparedStatements<Push>;
  readonly heads: PreparedStatements<AuditChainHead>;
  readonly sequences: PreparedStatements<AuditSequence>;

  constructor(dataSource: DataSource) {
    this.entries = new PreparedStatements(dataSource, AuditEntry);
    this.pushes = new PreparedStatements(dataSource, Push);
    this.heads = new PreparedStatements(dataSource, AuditChainHead);
    this.sequences = new PreparedStatements(dataSource, AuditSequence);
  }
}

/** Where the chains of some pushes and the logs of their owners end, in a transaction. */
export class ChainState {
  private readonly chained: AuditEntry[] = [];
  private readonly movedHeads = new Set<AuditChainHead>();
  private readonly movedSequences = new Set<AuditSequence>();
  private readonly newSequences = new Map<string, AuditSequence>();

  private constructor(
    private readonly pushes: ReadonlyMap<string, AuditedPush>,
    private readonly heads: ReadonlyMap<string, AuditChainHead>,
    private readonly sequences: ReadonlyMap<string, AuditSequence>,
  ) {}

  static async load(
    { pushes, heads, sequences }: ChainStatements,
    manager: EntityManager,
    pushIds: string[],
  ): Promise<ChainState> {
    const found = await pushes.findWithin(manager, 'id', pushIds, AUDITED_PUSH);
    const ownerIds = [...new Set([...found.values()].map(logOwnerOf))];
    return new ChainState(
      found,
      await heads.findWithin(manager, 'pushId', pushIds),
      await sequences.findWithin(manager, 'id', ownerIds),
    );
  }

  /** Chains an entry to the one before it, unless its push is gone. */
  append(entry: AuditEntry): void {
    const push = this.pushes.get(entry.pushId);
    const head = this.heads.get(entry.pushId);
    if (!push || !head) return;

    const sequence = this.sequenceOf(logOwnerOf(push));
    const number = sequence.last + 1;
    const digest = AuditLineDto.digestOf(entry, number, push, head.digest);
    this.chained.push(Object.assign(entry, { ownerId: sequence.id, number, digest }));
    this.movedHeads.add(Object.assign(head, { entries: head.entries + 1, digest }));
    sequence.last = number;
  }

  /** Whoever removes a push with its log meanwhile removes all of its entries, so those of others stay whole. */
  async save({ entries, heads, sequences }: ChainStatements, manager: EntityManager): Promise<void> {
    await entries.updateWithin(manager, 'id', this.chained, ['ownerId', 'number', 'digest']);
    await heads.updateWithin(manager, 'pushId', [...this.movedHeads], ['entries', 'digest']);
    await sequences.updateWithin(manager, 'id', [...this.movedSequences], ['last']);
    await writeWithin(manager, (tx) => {
      for (const sequence of this.newSequences.values()) sequences.insert(tx, sequence);
    });
  }

  private sequenceOf(id: string): AuditSequence {
    const known = this.sequences.get(id);
    if (known) {
      this.movedSequences.add(known);
      return known;
    }
    const sequence = this.newSequences.get(id) ?? { id, last: 0 };
    this.newSequences.set(id, sequence);
    return sequence;
  }
}

/** Whose log has the entries of a push. */
export function logOwnerOf({ userId }: Pick<AuditedPush, 'userId'>): string {
  return userId ?? NO_OWNER;
}
