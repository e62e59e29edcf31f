import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { engineOf } from './engines/engines.js';
import { Pace } from './pace.js';
import { runQuery } from './statements/statements.js';

const TURN_MS = 8;

/** SQL expressions over the columns of a row that are numbers, by the name of their sum. */
type Expressions<Name extends string> = Record<Name, string>;

/**
 * Adds up expressions over all rows of a table, without blocking other requests: some rows at a time, in the order of
 * their ids, with pauses. Rows that are inserted or removed meanwhile may be missing. Undefined once `signal` aborts.
 * @param parameters the values of `:name` in the expressions
 */
export async function sumRows<Name extends string>(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  expressions: Expressions<Name>,
  parameters: Record<string, Date> = {},
  signal?: AbortSignal,
): Promise<Record<Name, number> | undefined> {
  const names = Object.keys(expressions) as Name[];
  const sql = statementFor(dataSource, entity, expressions);
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  const pace = new Pace();
  for (let last: unknown = ''; !signal?.aborted;) {
    const [batch] = await runQuery(dataSource, sql, { ...parameters, last });
    if (!batch || batch.last === null) return sums;
    for (const name of names) sums[name] += Number(batch[name]);
    last = batch.last;
    await pace.pause(TURN_MS);
  }
  return undefined;
}

function statementFor(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  expressions: Expressions<string>,
): string {
  const metadata = dataSource.getMetadata(entity);
  const rows = engineOf(dataSource).rowsAtOnce(metadata);
  const quoted = (name: string) => dataSource.driver.escape(name); // PostgreSQL would have it in lower case
  const summands = Object.entries(expressions).map(
    ([name, expression]) => `, ${expression} AS ${quoted(name)}`,
  );
  const sums = Object.keys(expressions).map((name) => `, SUM(${quoted(name)}) AS ${quoted(name)}`);
  return (
    `SELECT MAX(id) AS last${sums.join('')} FROM ` +
    `(SELECT id${summands.join('')} FROM ${metadata.tableName} WHERE id > :last ORDER BY id LIMIT ${rows}) AS batch`
  );
}
