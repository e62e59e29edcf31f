import type {
  EntityManager,
  EntityTarget,
  FindManyOptions,
  FindOptionsOrder,
  FindOptionsWhere,
} from 'typeorm';
import { LessThan, MoreThan } from 'typeorm';

/**
 * Any number of rows in batches, between which nothing is open in the database.
 * @param next reads those after a row, or the first ones; when they are fewer than `size`, they are the last
 */
export async function* inBatches<Row>(
  size: number,
  next: (last?: Row) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const batch = await next(last);
    if (batch.length > 0) yield batch;
    if (batch.length < size) return;
    last = batch.at(-1);
  }
}

interface BatchOptions<Row extends { id: string | number }> {
  select?: FindManyOptions<Row>['select'];
  where?: FindOptionsWhere<Row>;
  /** By id. */
  order?: 'ASC' | 'DESC';
  /** The id before the first row. */
  after?: Row['id'];
}

/** The rows of an entity in batches, by their ids. */
export function batchesById<Row extends { id: string | number }>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  size: number,
  { select, where, order = 'ASC', after }: BatchOptions<Row> = {},
): AsyncGenerator<Row[]> {
  const beyond = order === 'ASC' ? MoreThan : LessThan;
  return inBatches(size, (last?: Row) => {
    const id = last?.id ?? after;
    return manager.find(entity, {
      select,
      where: { ...where, ...(id !== undefined && { id: beyond(id) }) } as FindOptionsWhere<Row>,
      order: { id: order } as FindOptionsOrder<Row>,
      take: size,
    });
  });
}
