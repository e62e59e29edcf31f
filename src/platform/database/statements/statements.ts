import type { Database, Statement as PreparedStatement } from 'better-sqlite3';
import type { PoolConnection, ResultSetHeader } from 'mysql2';
import type { DataSource, EntityManager, ObjectLiteral, QueryRunner } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import { afterCommit } from '../transactions/after-commit.js';
import type { Statement } from '../transactions/transaction.js';
import { Transaction } from '../transactions/transaction.js';

export type RawRow = Record<string, unknown>;

/** The result of a statement: the rows it read, or how many it changed. */
export interface StatementResult {
  rows: RawRow[];
  affected: number;
}

/**
 * Runs a statement that the driver prepares once for each connection. Bypasses TypeORM's `query()`, whose events and
 * result objects cost more time than a frequent statement itself.
 * @throws QueryFailedError
 */
export async function runStatement(
  runner: QueryRunner,
  sql: string,
  values: unknown[] = [],
): Promise<StatementResult> {
  if (runner.dataSource.options.type === 'better-sqlite3')
    return executeOnSqlite(runner.dataSource, sql, values);

  const connection = (await runner.connect()) as PoolConnection;
  runner.dataSource.logger.logQuery(sql, values, runner);
  try {
    return await executeOnServer(connection, sql, values);
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}

/** The rows that a query finds outside of transactions. @param parameters the values of `:name` in it */
export function runQuery(dataSource: DataSource, sql: string, parameters: ObjectLiteral): Promise<RawRow[]> {
  return readRows(dataSource, ...dataSource.driver.escapeQueryWithParameters(sql, parameters));
}

/** The same for a statement with its values in the order of its placeholders. */
export async function readRows(dataSource: DataSource, sql: string, values: unknown[]): Promise<RawRow[]> {
  const runner = dataSource.createQueryRunner();
  try {
    return (await runStatement(runner, sql, values)).rows;
  } finally {
    await runner.release();
  }
}

/** Runs a statement in the transaction of `manager`; returns how many rows it changed. */
export async function execute(manager: EntityManager, { sql, values }: Statement): Promise<number> {
  if (!manager.queryRunner) throw new Error('Statements are executed in a transaction of UnitOfWork only.');
  return (await runStatement(manager.queryRunner, sql, values)).affected;
}

/**
 * Executes in the transaction of `manager` what `record` adds. Returns false, and executes nothing else, when its
 * `updateOrAbort` did not match; a row for `lockParent` must have been locked already.
 */
export async function writeWithin(
  manager: EntityManager,
  record: (tx: Transaction) => void,
): Promise<boolean> {
  const tx = new Transaction();
  record(tx);
  if (tx.conditionalUpdate && (await execute(manager, tx.conditionalUpdate)) !== 1) return false;
  for (const { table, values } of tx.rows) await execute(manager, { sql: table.sqlFor(1), values });
  for (const statement of tx.statements) await execute(manager, statement);
  for (const callback of tx.callbacks) afterCommit(manager, callback);
  return true;
}

/** `runStatement` on SQLite, which is synchronous. */
export function executeOnSqlite(dataSource: DataSource, sql: string, values: unknown[]): StatementResult {
  dataSource.logger.logQuery(sql, values);
  try {
    const statement = prepare(databaseOf(dataSource), sql);
    return statement.reader
      ? { rows: statement.all(values), affected: 0 }
      : { rows: [], affected: statement.run(values).changes };
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}

/** TypeORM's connection to the file. */
export function databaseOf({ driver }: DataSource): Database {
  return (driver as unknown as { databaseConnection: Database }).databaseConnection;
}

const prepared = new WeakMap<Database, Map<string, PreparedStatement<unknown[], RawRow>>>();

function prepare(database: Database, sql: string): PreparedStatement<unknown[], RawRow> {
  let statements = prepared.get(database);
  if (!statements)
    prepared.set(database, (statements = new Map<string, PreparedStatement<unknown[], RawRow>>()));
  let statement = statements.get(sql);
  if (!statement) statements.set(sql, (statement = database.prepare<unknown[], RawRow>(sql)));
  return statement;
}

function executeOnServer(
  connection: PoolConnection,
  sql: string,
  values: unknown[],
): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, result: RawRow[] | ResultSetHeader) => {
      if (error) {
        reject(error);
      } else {
        resolve(
          Array.isArray(result) ? { rows: result, affected: 0 } : { rows: [], affected: result.affectedRows },
        );
      }
    };
    if (values.length > 0) {
      connection.execute(sql, values as never, settle as never);
    } else {
      connection.query(sql, settle as never);
    }
  });
}
