import type { Database, Statement } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import type { RawRow, StatementResult } from '../engine/engine.js';

/** Runs a statement, which is synchronous. */
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

const prepared = new WeakMap<Database, Map<string, Statement<unknown[], RawRow>>>();

function prepare(database: Database, sql: string): Statement<unknown[], RawRow> {
  let statements = prepared.get(database);
  if (!statements) prepared.set(database, (statements = new Map<string, Statement<unknown[], RawRow>>()));
  let statement = statements.get(sql);
  if (!statement) statements.set(sql, (statement = database.prepare<unknown[], RawRow>(sql)));
  return statement;
}
