import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, MoreThan, Not } from 'typeorm';
import { isStillReferenced } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SealBroken } from '../sealing/secretbox.js';
import { Keyring } from '../sealing/keyring.js';
import { MasterKey } from '../sealing/master-key.entity.js';
import { Push } from './push.entity.js';
import { PushSeal } from './push-seal.js';

/** Small, because a unit of work holds up the others. */
const BATCH = 100;

/** What it takes to wrap the keys of a push anew. */
const WRAPS = ['id', 'tokenDigest', 'userId', 'masterKeyId', 'ownerKey', 'dataKey'];

/** How far a rotation is. */
export interface Rotation {
  /** Pushes whose keys the current master key wraps now, bound to their rows. */
  rewrapped: number;
  /** Pushes whose keys no longer open: their rows were changed by someone else. */
  broken: number;
  /** Ids of master keys that nothing needs any more. */
  retired: string[];
  /** Ids of old master keys that are needed still. */
  needed: string[];
}

/**
 * Puts the current master key in the place of older ones, and the current format of wrapped keys in the place of the
 * one before, while the service serves. Each batch stands by itself, so a rotation that was killed goes on where it was
 * when it is started again.
 */
@Injectable()
export class KeyRotationService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly keyring: Keyring,
    private readonly pushSeal: PushSeal,
  ) {}

  async rotate(tell: (rotation: Rotation) => void = () => undefined): Promise<Rotation> {
    const rotation: Rotation = { rewrapped: 0, broken: 0, retired: [], needed: [] };
    await this.rewrapAll(this.keyring.current, rotation, tell);
    let broken = rotation.broken;
    for (const { id } of await this.dataSource.manager.findBy(MasterKey, { id: Not(this.keyring.current) })) {
      await this.rewrapAll(id, rotation, tell);
      broken += rotation.broken;
      rotation[(await this.retire(id)) ? 'retired' : 'needed'].push(id);
    }
    return { ...rotation, broken };
  }

  /** Goes through them until nothing is left to do: a push that changed in between is met again. */
  private async rewrapAll(
    masterKeyId: string,
    rotation: Rotation,
    tell: (rotation: Rotation) => void,
  ): Promise<void> {
    for (let before = -1; rotation.rewrapped > before;) {
      before = rotation.rewrapped;
      rotation.broken = 0;
      for (let batch = await this.batch(masterKeyId, ''); batch.length > 0;) {
        const stale = batch.filter((push) => this.pushSeal.needsRewrap(push));
        if (stale.length > 0) {
          await this.rewrap(stale, rotation);
          tell(rotation);
        }
        await setImmediate();
        batch = await this.batch(masterKeyId, batch.at(-1)?.id ?? '');
      }
    }
  }

  private batch(masterKeyId: string, afterId: string): Promise<Push[]> {
    return this.dataSource
      .getRepository(Push)
      .createQueryBuilder('push')
      .select(WRAPS.map((column) => `push.${column}`))
      .useIndex(this.indexOfMasterKeys) // MySQL would go through the primary key, past the pushes of other master keys
      .where({ masterKeyId, id: MoreThan(afterId) })
      .orderBy('push.id')
      .limit(BATCH)
      .getMany();
  }

  private get indexOfMasterKeys(): string {
    const { indices } = this.dataSource.getMetadata(Push);
    const index = indices.find(({ columns }) => columns[0]?.propertyName === 'masterKeyId');
    if (!index) throw new Error('Pushes have no index of their master keys');
    return index.name;
  }

  private async rewrap(batch: Push[], rotation: Rotation): Promise<void> {
    const changes = batch.flatMap((push) => this.rewrapped(push) ?? []);
    rotation.broken += batch.length - changes.length;
    rotation.rewrapped += await this.unitOfWork.run(async (manager) => {
      let done = 0;
      for (const { asSeen, wraps } of changes) {
        const { affected } = await manager.update(Push, asSeen, wraps);
        done += affected ?? 0;
      }
      return done;
    });
  }

  /** A push that has ended since must not get its data key back. */
  private rewrapped(push: Push) {
    try {
      const { id, masterKeyId, dataKey } = push;
      const asSeen = { id, masterKeyId, dataKey: dataKey ? Not(IsNull()) : IsNull() };
      return { asSeen, wraps: this.pushSeal.rewrap(push) };
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }

  /** Forgets a master key, unless a push still has it; the database itself sees to that. */
  private async retire(id: string): Promise<boolean> {
    try {
      await this.unitOfWork.run((manager) => manager.delete(MasterKey, { id }));
      return true;
    } catch (error) {
      if (!isStillReferenced(error)) throw error;
      return false;
    }
  }
}
