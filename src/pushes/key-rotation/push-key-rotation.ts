import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, MoreThan, Not } from 'typeorm';
import { inBatches } from '../../platform/database/in-batches.js';
import { isStillReferenced } from '../../platform/database/errors/database-error.js';
import { Pace } from '../../platform/database/pace.js';
import { execute } from '../../platform/database/statements/statements.js';
import type { Statement } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { ifUnsealed } from '../../platform/sealing/secretbox.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';
import { Push } from '../push/push.entity.js';
import { PushSeal, WRAP_COLUMNS } from '../push/push-seal.js';

/** Pushes in a batch: few, because a transaction blocks the others. */
const BATCH = 100;

/** Progress of a rotation. */
interface Rotation {
  /** Pushes whose keys are now wrapped by the current master key. */
  rewrapped: number;
  /** Pushes whose keys cannot be unsealed: their rows were tampered with. */
  broken: number;
  /** Ids of master keys that are no longer needed. */
  retired: string[];
  /** Ids of old master keys that are still needed. */
  needed: string[];
}

/**
 * Replaces older master keys by the current one while the service runs. Each batch is committed separately, so a
 * rotation that was killed continues where it stopped when it is started again.
 */
@Injectable()
export class PushKeyRotation {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly keyring: Keyring,
    private readonly pushSeal: PushSeal,
    private readonly audit: InstanceAudit,
  ) {}

  async rotate(report: (rotation: Rotation) => void = () => undefined): Promise<Rotation> {
    const rotation: Rotation = { rewrapped: 0, broken: 0, retired: [], needed: [] };
    let broken = 0;
    for (const { id } of await this.dataSource.manager.findBy(MasterKey, { id: Not(this.keyring.current) })) {
      await this.rewrapAll(id, rotation, report);
      broken += rotation.broken;
      rotation[(await this.retire(id)) ? 'retired' : 'needed'].push(id);
    }
    return { ...rotation, broken };
  }

  /** Repeats until nothing is left to do: a push that changed in the meantime is found again. */
  private async rewrapAll(
    masterKeyId: string,
    rotation: Rotation,
    report: (rotation: Rotation) => void,
  ): Promise<void> {
    const pace = new Pace();
    for (let before = -1; rotation.rewrapped > before;) {
      before = rotation.rewrapped;
      rotation.broken = 0;
      for await (const batch of inBatches(BATCH, (last?: Push) => this.batch(masterKeyId, last?.id))) {
        await this.rewrap(batch, rotation);
        report(rotation);
        await pace.pause();
      }
    }
  }

  private batch(masterKeyId: string, afterId = ''): Promise<Push[]> {
    return this.dataSource
      .getRepository(Push)
      .createQueryBuilder('push')
      .select(WRAP_COLUMNS.map((column) => `push.${column}`))
      .useIndex(this.indexOfMasterKeys) // MySQL would scan the primary key, including pushes of other master keys
      .where({ masterKeyId, id: MoreThan(afterId) })
      .orderBy('push.id')
      .limit(BATCH)
      .getMany();
  }

  private get indexOfMasterKeys(): string {
    const { indices } = this.dataSource.getMetadata(Push);
    const index = indices.find(({ columns }) => columns[0]?.propertyName === 'masterKeyId');
    if (!index) throw new Error('Pushes have no index on their master keys');
    return index.name;
  }

  private async rewrap(batch: Push[], rotation: Rotation): Promise<void> {
    const changes = batch.flatMap((push) => this.rewrapping(push) ?? []);
    rotation.broken += batch.length - changes.length;
    rotation.rewrapped += await this.unitOfWork.run(async (manager) => {
      let done = 0;
      for (const change of changes) done += await execute(manager, change);
      return done;
    });
  }

  /** A push that has ended in the meantime must not get its data key back. Undefined when its keys cannot be unsealed. */
  private rewrapping(push: Push): Statement | undefined {
    const rewrapped = ifUnsealed(() => this.pushSeal.rewrap(push));
    if (!rewrapped) return undefined;
    const { masterKeyId, ownerKey, dataKey } = rewrapped;
    const sql =
      'UPDATE pushes SET master_key_id = ?, owner_key = ?, data_key = ? ' +
      `WHERE id = ? AND master_key_id = ? AND data_key IS ${dataKey ? 'NOT NULL' : 'NULL'}`;
    return { sql, values: [masterKeyId, ownerKey, dataKey, push.id, push.masterKeyId] };
  }

  /** Deletes a master key unless a push, webhook or message still uses it, which foreign keys ensure. */
  private async retire(id: string): Promise<boolean> {
    try {
      await this.unitOfWork.run(async (manager) => {
        await manager.delete(MasterKey, { id });
        await this.audit.recordWithin(manager, 'master_key_removed', { details: { master_key: id } });
      });
      return true;
    } catch (error) {
      if (!isStillReferenced(error)) throw error;
      return false;
    }
  }
}
