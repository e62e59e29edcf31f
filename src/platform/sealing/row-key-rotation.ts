import type { Type } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityTarget, FindOptionsOrder, FindOptionsSelect, FindOptionsWhere } from 'typeorm';
import { DataSource, In, MoreThan, Not } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm';
import { contributedProvider, Contributions } from '../contributions/contributions.js';
import { Pace } from '../database/pace.js';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import { Keyring } from './keyring.js';
import { MasterKey } from './master-key.entity.js';
import { UnsealError } from './secretbox.js';

/** Rows in a batch: few, because a transaction blocks others. */
const BATCH = 50;

type Sealed = { masterKeyId: string; sealed: Buffer };
type SealedRow = Sealed & { id: string };

interface RowSeal {
  seal(contents: never, row: never): Sealed;
  /** @throws UnsealError when the row was tampered with */
  unseal(row: never): unknown;
}

/** Of a provider that seals the rows of an entity, so that they are sealed again when the master key has changed. */
export const SealsRows = contributedProvider<RowSeal, Type<SealedRow>>();

/** Seals the rows of tables with the current master key, so that older ones are no longer needed. */
@Injectable()
export class RowKeyRotation {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly keyring: Keyring,
    private readonly contributions: Contributions,
  ) {}

  /** Returns how many rows of all modules cannot be unsealed, because they were tampered with. */
  async rotate(): Promise<number> {
    let broken = 0;
    for (const { contributed: seal, argument: entity } of this.contributions.providers(SealsRows))
      broken += await this.rotateTable(entity, (row) =>
        seal.seal(seal.unseal(row as never) as never, row as never),
      );
    return broken;
  }

  /** @param reseal seals the contents of a row again */
  private async rotateTable<Row extends SealedRow>(
    entity: EntityTarget<Row>,
    reseal: (row: Row) => Sealed,
  ): Promise<number> {
    const pace = new Pace();
    let broken = 0;
    const others = { id: Not(this.keyring.current) };
    for (const { id: masterKeyId } of await this.dataSource.manager.findBy(MasterKey, others)) {
      for (let batch = await this.idsAfter(entity, masterKeyId, ''); batch.length > 0;) {
        broken += await this.resealAll(entity, batch, reseal);
        await pace.pause();
        batch = await this.idsAfter(entity, masterKeyId, batch.at(-1) ?? '');
      }
    }
    return broken;
  }

  private async idsAfter<Row extends SealedRow>(
    entity: EntityTarget<Row>,
    masterKeyId: string,
    id: string,
  ): Promise<string[]> {
    const rows = await this.dataSource.manager.find(entity, {
      select: { id: true } as FindOptionsSelect<Row>,
      where: { masterKeyId, id: MoreThan(id) } as FindOptionsWhere<Row>,
      order: { id: 'ASC' } as FindOptionsOrder<Row>,
      take: BATCH,
    });
    return rows.map((row) => row.id);
  }

  /** The rows are locked, because others may change them at the same time. */
  private resealAll<Row extends SealedRow>(
    entity: EntityTarget<Row>,
    ids: string[],
    reseal: (row: Row) => Sealed,
  ): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const where = { id: In(ids) } as FindOptionsWhere<Row>;
      let broken = 0;
      for (const row of await this.unitOfWork.findAllForUpdate(manager, entity, where)) {
        const resealed = ifUnsealed(() => reseal(row));
        if (resealed)
          await manager.update(entity, row.id, resealed as unknown as QueryDeepPartialEntity<Row>);
        else broken += 1;
      }
      return broken;
    });
  }
}

/** Undefined when it cannot be unsealed. */
function ifUnsealed(reseal: () => Sealed): Sealed | undefined {
  try {
    return reseal();
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}
