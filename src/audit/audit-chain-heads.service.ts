import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource, In } from 'typeorm';
import { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import { AuditChainHead } from './audit-chain-head.entity.js';
import { AuditSequence } from './audit-sequence.entity.js';

/**
 * The ends of chains, in the database. Whatever adds or moves one runs in a transaction that first writes the row which
 * all of them share, so that they run one after the other on every engine, also on different nodes of a cluster.
 */
@Injectable()
export class AuditChainHeadsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Gives each of these pushes a head if it has none. In a transaction of its own, because on servers it locks the pushes. */
  async ensure(pushIds: string[]): Promise<void> {
    const missing = await this.withoutHead(this.dataSource.manager, pushIds);
    if (missing.length > 0) await this.unitOfWork.run((manager) => this.ensureWithin(manager, missing));
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
    await manager.increment(AuditSequence, { id: AuditSequence.CHAIN }, 'last', 1);
  }

  private async ensureWithin(manager: EntityManager, pushIds: string[]): Promise<void> {
    await this.lockWithin(manager);
    const missing = await this.withoutHead(manager, pushIds);
    if (missing.length === 0) return;
    const existing = await this.unitOfWork.findIdsForShare(manager, 'Push', missing);
    const rows = existing.map((pushId) => ({ pushId, entries: 0, digest: '', removing: false }));
    if (rows.length > 0) await manager.insert(AuditChainHead, rows);
  }

  private async withoutHead(manager: EntityManager, pushIds: string[]): Promise<string[]> {
    const heads = await manager.find(AuditChainHead, {
      select: { pushId: true },
      where: { pushId: In(pushIds) },
    });
    const withHead = new Set(heads.map(({ pushId }) => pushId));
    return pushIds.filter((id) => !withHead.has(id));
  }
}
