import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityTarget } from 'typeorm';
import { DataSource, In, Not } from 'typeorm';
import { contributedProvider, Contributions } from '../contributions/contributions.js';
import { batchesById } from '../database/in-batches.js';
import { Pace } from '../database/pace.js';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import type { SealedByMasterKey } from './keyring.js';
import { Keyring } from './keyring.js';
import { MasterKey } from './master-key.entity.js';
import type { RowSeal } from './row-seal.js';
import { ifUnsealed } from './secretbox.js';

/** Rows in a batch: few, because a transaction blocks others. */
const BATCH = 50;

type SealedRow = SealedByMasterKey & { id: string };

/**
 * On a provider that seals the rows of an entity, such as a `RowSeal`, so that they are sealed again when the master key
 * is replaced.
 */
export const SealsRows = contributedProvider<
  { seal(contents: never, row: never): SealedByMasterKey; unseal(row: never): unknown },
  EntityTarget<SealedRow>
>();

/** Seals the rows of tables with the current master key, so that older ones are no longer needed. */
@Injectable()
export class RowKeyRotation {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly keyring: Keyring,
    private readonly contributions: Contributions,
  ) {}

  /** Returns how many rows of all tables cannot be unsealed, because they were tampered with. */
  async rotate(): Promise<number> {
    let broken = 0;
    for (const { argument: entity, contributed } of this.contributions.providers(SealsRows)) {
      const seal = contributed as RowSeal<unknown, SealedRow>;
      broken += await this.rotateRowsOf(entity, (row) => seal.seal(seal.unseal(row), row));
    }
    return broken;
  }

  private async rotateRowsOf(
    entity: EntityTarget<SealedRow>,
    reseal: (row: SealedRow) => SealedByMasterKey,
  ): Promise<number> {
    const pace = new Pace();
    let broken = 0;
    const others = { id: Not(this.keyring.current) };
    for (const { id: masterKeyId } of await this.dataSource.manager.findBy(MasterKey, others)) {
      const options = { select: { id: true }, where: { masterKeyId }, after: '' } as const;
      for await (const batch of batchesById(this.dataSource.manager, entity, BATCH, options)) {
        broken += await this.resealAll(entity, batch, reseal);
        await pace.pause();
      }
    }
    return broken;
  }

  /** The rows are locked, because others may change them at the same time. */
  private resealAll(
    entity: EntityTarget<SealedRow>,
    batch: SealedRow[],
    reseal: (row: SealedRow) => SealedByMasterKey,
  ): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const where = { id: In(batch.map(({ id }) => id)) };
      let broken = 0;
      for (const row of await this.unitOfWork.findAllForUpdate(manager, entity, where)) {
        const resealed = ifUnsealed(() => reseal(row));
        if (resealed) await manager.update(entity, row.id, resealed);
        else broken += 1;
      }
      return broken;
    });
  }
}
