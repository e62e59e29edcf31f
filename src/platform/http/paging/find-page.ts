import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { runQuery } from '../../database/statements/statements.js';
import { ListPage, Paged } from './list-page.js';

/** A page of rows, and how many there are on all pages, counted as `IdList.count` counts. */
export async function findPage<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  page: ListPage,
): Promise<Paged<Row[]>> {
  const [ids, total] = await new IdList(rows).findPage(page, rows.getParameters());
  return new Paged(await findByIds(rows, ids), page.number, total);
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
  const ids = await new IdList(rows).find(page.take + 1, page.skip, rows.getParameters());
  return {
    rows: await findByIds(rows, ids.slice(0, page.take)),
    page: page.number,
    hasNext: ids.length > page.take && page.number < ListPage.LAST,
  };
}

/**
 * The ids of the rows that a query finds, from an index if one covers the query, so that the many rows before a late page
 * are not read. Its SQL is built once, for any values of the query's parameters: to build it takes TypeORM longer than to
 * read a page.
 */
export class IdList {
  private readonly dataSource: DataSource;
  private readonly ids: string;
  private ones: string | undefined;

  constructor(private readonly rows: SelectQueryBuilder<{ id: string }>) {
    this.dataSource = rows.dataSource;
    this.ids = rows.clone().select(`${rows.alias}.id`, 'id').getQuery();
  }

  /** The first ones. @param take one of few numbers: connections keep a prepared statement for each */
  async first(take: number, parameters: ObjectLiteral): Promise<string[]> {
    return idsOf(await runQuery(this.dataSource, `${this.ids} LIMIT ${take}`, parameters));
  }

  async find(take: number, skip: number, parameters: ObjectLiteral): Promise<string[]> {
    const sql = `${this.ids} LIMIT ${take} OFFSET ${skip}`;
    const { driver } = this.dataSource;
    return idsOf(await this.dataSource.query(...driver.escapeQueryWithParameters(sql, parameters)));
  }

  /** A page of them, and how many there are on all pages. */
  async findPage(page: ListPage, parameters: ObjectLiteral): Promise<[string[], number]> {
    const ids = await (page.skip === 0
      ? this.first(page.take, parameters)
      : this.find(page.take, page.skip, parameters));
    const isLast = ids.length < page.take && (ids.length > 0 || page.skip === 0);
    return [ids, isLast ? page.skip + ids.length : await this.count(parameters)];
  }

  /**
   * How many there are: a count of all would read all.
   * @param max how far it counts, by default to one more than the pages of a list can have
   */
  async count(parameters: ObjectLiteral, max = ListPage.MAX_ROWS + 1): Promise<number> {
    this.ones ??= this.rows.clone().select('1', 'one').orderBy().getQuery();
    const sql = `SELECT COUNT(*) AS count FROM (${this.ones} LIMIT ${max}) AS listed`;
    const [row] = await runQuery(this.dataSource, sql, parameters);
    return Number(row?.count);
  }
}

function idsOf(rows: Record<string, unknown>[]): string[] {
  return rows.map(({ id }) => id as string);
}

/** The rows with these ids, in the order of the query. They may have changed since. */
async function findByIds<Row extends { id: string }>(
  rows: SelectQueryBuilder<Row>,
  ids: string[],
): Promise<Row[]> {
  return ids.length === 0 ? [] : rows.clone().useIndex([]).whereInIds(ids).getMany();
}
