import type { DataSource, EntityTarget, FindOptionsSelect, FindOptionsWhere } from 'typeorm';
import { In } from 'typeorm';
import { Pace } from '../common/pace.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Small, because a unit of work holds up the others. */
const ROWS_IN_A_UNIT = 500;

/** Removes rows that may be many, unit by unit, at a pace that lets others in between. Ends early when told to stop. */
export async function removeInUnits<Row extends { id: string }>(
  dataSource: DataSource,
  unitOfWork: UnitOfWork,
  entity: EntityTarget<Row>,
  which: FindOptionsWhere<Row>,
  stop?: AbortSignal,
): Promise<void> {
  const pace = new Pace();
  while (!stop?.aborted) {
    const rows = await dataSource.manager.find(entity, {
      select: { id: true } as FindOptionsSelect<Row>,
      where: which,
      take: ROWS_IN_A_UNIT,
    });
    if (rows.length === 0) return;

    const these = { id: In(rows.map(({ id }) => id)) } as FindOptionsWhere<Row>;
    await unitOfWork.run((manager) => manager.delete(entity, these));
    await pace.rest();
  }
}
