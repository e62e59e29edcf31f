import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource, In, Column, Entity, ForeignKey } from 'typeorm';
import {
  execute,
  findIdsForShare,
  padded,
  placeholders,
  PreparedStatements,
} from '../platform/database/statements/statements.js';
import { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import { DigestColumn, IdColumn } from '../platform/database/columns.js';

/** Stands for the owner of pushes that have none. */
export const NO_OWNER = 'none';

/** The id of the row that each transaction which chains entries writes first. */
const CHAIN = 'chain';

/** Counts the chained entries of an account; its id is that of the account, `NO_OWNER` or `CHAIN`. */
@Entity('audit_sequences')
export class AuditSequence {
  static readonly CHAIN = CHAIN;

  @IdColumn()
  id: string;

  /** The last number that was given to an entry. It is never given again, even when that entry has been removed. */
  @Column({ type: 'bigint', transformer: { from: Number, to: (last: number) => last } })
  last: number;
}

/** Where the chain of a push's audit entries ends, kept apart from the entries, so that a removed last entry shows. */
@Entity('audit_heads')
export class AuditChainHead {
  @ForeignKey('Push', { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @IdColumn()
  pushId: string;

  /** How many entries of the push are chained. */
  @Column('integer')
  entries: number;

  /** The digest of the last of them; empty while there is none. */
  @DigestColumn()
  digest: string;

  /** Whether the log is being removed together with its push: until the push is gone, a part of it is missing. */
  @Column('boolean', { default: false })
  removing: boolean;
}

/**
 * The ends of chains, in the database. Whatever adds or moves one runs in a transaction that first writes the row which
 * all of them share, so that they run one after the other on every engine, also on different nodes of a cluster.
 */
@Injectable()
export class AuditChainHeadsService {
  private readonly statements: PreparedStatements<AuditChainHead>;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.statements = new PreparedStatements(dataSource, AuditChainHead);
  }

  /** Gives each of these pushes a head if it has none. In a transaction of its own, because on servers it locks the pushes. */
  async ensure(pushIds: string[]): Promise<void> {
    if (pushIds.length > 0) await this.unitOfWork.run((manager) => this.ensureWithin(manager, pushIds));
  }

  /** To be called before the logs of these pushes are removed. */
  async markRemoving(pushIds: string[]): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      await this.ensureWithin(manager, pushIds);
      await manager.update(AuditChainHead, { pushId: In(pushIds) }, { removing: true });
    });
  }

  /** Nothing else adds or moves a head until the transaction of `manager` ends. */
  async lockWithin(manager: EntityManager): Promise<void> {
    const sql = 'UPDATE audit_sequences SET last = last + 1 WHERE id = ?';
    await execute(manager, { sql, values: [AuditSequence.CHAIN] });
  }

  private async ensureWithin(manager: EntityManager, pushIds: string[]): Promise<void> {
    await this.lockWithin(manager);
    const heads = await this.statements.findWithin(manager, 'pushId', pushIds, { pushId: true });
    const missing = pushIds.filter((id) => !heads.has(id));
    if (missing.length === 0) return;
    const existing = await findIdsForShare(manager, 'pushes', missing);
    if (existing.length === 0) return;
    const values = padded(existing);
    const sql = `INSERT INTO audit_heads (push_id, entries, digest, removing)
      SELECT id, 0, '', false FROM pushes WHERE id IN (${placeholders(values)})`;
    await execute(manager, { sql, values });
  }
}
