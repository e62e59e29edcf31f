import type { SelectQueryBuilder } from 'typeorm';
import type { ListPage } from './list-page.js';

/**
 * A page of rows, and how many there are on all pages. Selects the ids first, from the index alone if it covers the
 * query, so that the many rows before a late page are never read; then the rows, which may have changed since.
 */
export async function findPage<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  page: ListPage,
): Promise<[Row[], number]> {
  const ids = rows.clone().select(`${rows.alias}.id`).limit(page.take).offset(page.skip);
  const [found, total] = await ids.getManyAndCount();
  if (found.length === 0) return [[], total];

  return [await rows.whereInIds(found.map(({ id }) => id)).getMany(), total];
}
