import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import { MoreThan } from 'typeorm';
import { MINUTE_MS } from '../settings/units.js';
import type { UnitOfWork } from './transactions/unit-of-work.js';

/** By how much clocks may differ that are right. */
export const CLOCK_DIFFERENCE_MS = MINUTE_MS;

/**
 * Replaces times that are after the latest possible one by it. They were recorded while a clock was ahead: a time after
 * now counts as now, and from then on as any other, so that nobody has to wait until that time has come.
 */
export async function capTimes<Row extends ObjectLiteral>(
  unitOfWork: UnitOfWork,
  rows: Repository<Row>,
  where: FindOptionsWhere<Row>,
  column: keyof Row & string,
  latest: Date,
): Promise<void> {
  const limit = new Date(latest.getTime() + CLOCK_DIFFERENCE_MS);
  const beyond = { ...where, [column]: MoreThan(limit) } as FindOptionsWhere<Row>;
  if (!(await rows.existsBy(beyond))) return;
  await unitOfWork.run((manager) => manager.update(rows.target, beyond, { [column]: latest } as object));
}
