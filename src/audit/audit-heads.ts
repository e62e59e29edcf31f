import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { In } from 'typeorm';
import { isMissingParent } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AuditHead } from './audit-head.entity.js';
import { AuditSequence } from './audit-sequence.entity.js';

/**
 * The ends of chains, in the database. Whatever adds or moves one runs in a transaction that first writes the row which
 * all of them share, so that they run one after the other on every engine, also on different nodes of a cluster.
 */
@Injectable()
export class AuditHeads {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Gives each of these pushes a head if it has none. In a transaction of its own, because on servers it locks the pushes.
   */
  async open(pushIds: string[]): Promise<void> {
    await this.runUnlessPushesEnd((manager) => this.openWithin(manager, pushIds));
  }

  /** To be called before the logs of these pushes are removed. */
  async markRemoving(pushIds: string[]): Promise<void> {
    await this.runUnlessPushesEnd(async (manager) => {
      await this.openWithin(manager, pushIds);
      await manager.update(AuditHead, { pushId: In(pushIds) }, { removing: true });
    });
  }

  /** Nothing else adds or moves a head until the transaction of `manager` ends. */
  async lockWithin(manager: EntityManager): Promise<void> {
    await manager.increment(AuditSequence, { id: AuditSequence.CHAIN }, 'last', 1);
  }

  private async openWithin(manager: EntityManager, pushIds: string[]): Promise<void> {
    await this.lockWithin(manager);
    const among = pushIds.map(() => '?').join(', ');
    await manager.query(
      `INSERT INTO audit_heads (push_id, entries, digest, removing) SELECT id, 0, '', 0 FROM pushes WHERE id IN (${among}) ` +
        'AND NOT EXISTS (SELECT 1 FROM audit_heads WHERE push_id = pushes.id)',
      pushIds,
    );
  }

  /** A push that is removed at the same time needs no head; those of the other pushes are added by a later call. */
  private async runUnlessPushesEnd(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    try {
      await this.unitOfWork.run(work);
    } catch (error) {
      if (!isMissingParent(error)) throw error;
    }
  }
}
