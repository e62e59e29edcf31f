import type { DataSource, EntityTarget, FindOptionsSelect, FindOptionsWhere } from 'typeorm';
import { In } from 'typeorm';
import { Pace } from '../common/pace.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Small, because a unit of work holds up the others. */
const ROWS_IN_A_UNIT = 500;

/** Removes rows that may be many, unit by unit: others get as much time in between. Tells how many it met. */
export async function removeInUnits<Row extends { id: string }>(
  dataSource: DataSource,
  unitOfWork: UnitOfWork,
  entity: EntityTarget<Row>,
  which: FindOptionsWhere<Row>,
): Promise<number> {
  const pace = new Pace();
  for (let removed = 0; ;) {
    const rows = await dataSource.manager.find(entity, {
      select: { id: true } as FindOptionsSelect<Row>,
      where: which,
      take: ROWS_IN_A_UNIT,
    });
    if (rows.length === 0) return removed;

    const these = { id: In(rows.map(({ id }) => id)) } as FindOptionsWhere<Row>;
    await unitOfWork.run((manager) => manager.delete(entity, these));
    removed += rows.length;
    await pace.rest();
  }
}
