import type { SelectQueryBuilder } from 'typeorm';
import { ListPage } from './list-page.js';

/** A page of rows, and how many there are on all pages; `countListed` says how far that is counted. */
export async function findPage<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  page: ListPage,
): Promise<[Row[], number]> {
  const [ids, total] = await findPageOfIds(rows, page);
  return [await findByIds(rows, ids), total];
}

/** The same with only the ids of the rows. */
export async function findPageOfIds<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  page: ListPage,
): Promise<[string[], number]> {
  const ids = await findIds(rows, page.take, page.skip);
  const isLast = ids.length < page.take && (ids.length > 0 || page.skip === 0);
  return [ids, isLast ? page.skip + ids.length : await countListed(rows)];
}

/** A page of rows, of which there may be more. */
export interface UncountedPage<Row> {
  rows: Row[];
  page: number;
  hasNext: boolean;
}

/** The same for a list that does not show how many there are: a count would read all of them. */
export async function findUncountedPage<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  page: ListPage,
): Promise<UncountedPage<Row>> {
  const ids = await findIds(rows, page.take + 1, page.skip);
  return {
    rows: await findByIds(rows, ids.slice(0, page.take)),
    page: page.number,
    hasNext: ids.length > page.take && page.number < ListPage.LAST,
  };
}

/** Selects the ids alone, from an index if one covers the query, so that the many rows before a late page are not read. */
export async function findIds<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  take: number,
  skip = 0,
): Promise<string[]> {
  const query = rows.clone().select(`${rows.alias}.id`, 'id').limit(take).offset(skip);
  return (await query.getRawMany<{ id: string }>()).map(({ id }) => id);
}

/** The rows with these ids, in the order of the query. They may have changed since. */
async function findByIds<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  ids: string[],
): Promise<Row[]> {
  return ids.length === 0 ? [] : rows.clone().useIndex([]).whereInIds(ids).getMany();
}

/**
 * How many rows there are: a count of all would read all.
 * @param max how far it counts, by default to one more than the pages of a list can have
 */
export async function countListed<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  max = ListPage.MAX_ROWS + 1,
): Promise<number> {
  const counted = rows.clone().select('1', 'one').orderBy().limit(max);
  const [sql, parameters] = counted.getQueryAndParameters();
  const [row] = await rows.dataSource.query<{ count: number | string }[]>(
    `SELECT COUNT(*) AS count FROM (${sql}) AS listed`,
    parameters,
  );
  return Number(row?.count);
}
