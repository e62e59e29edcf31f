import type { Database, Statement } from 'better-sqlite3';
import type { PoolConnection, ResultSetHeader } from 'mysql2';
import type { QueryRunner } from 'typeorm';
import { QueryFailedError } from 'typeorm';

export type RawRow = Record<string, unknown>;

/** What a statement gave: the rows that it read, or how many it changed. */
export interface Outcome {
  rows: RawRow[];
  affected: number;
}

/**
 * Runs a statement that the driver prepares once for each connection. It goes past TypeORM's own `query()`, whose
 * events and results cost more than a busy path's statement itself.
 * @throws QueryFailedError
 */
export async function runStatement(
  runner: QueryRunner,
  sql: string,
  values: unknown[] = [],
): Promise<Outcome> {
  const connection = (await runner.connect()) as Database | PoolConnection;
  runner.dataSource.logger.logQuery(sql, values, runner);
  try {
    return 'pragma' in connection
      ? onSqlite(preparedOn(connection, sql), values)
      : await onServer(connection, sql, values);
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}

const preparedOnes = new WeakMap<Database, Map<string, Statement<unknown[], RawRow>>>();

function preparedOn(connection: Database, sql: string): Statement<unknown[], RawRow> {
  const known = preparedOnes.get(connection) ?? new Map<string, Statement<unknown[], RawRow>>();
  preparedOnes.set(connection, known);
  const statement = known.get(sql) ?? connection.prepare<unknown[], RawRow>(sql);
  known.set(sql, statement);
  return statement;
}

function onSqlite(statement: Statement<unknown[], RawRow>, values: unknown[]): Outcome {
  return statement.reader
    ? { rows: statement.all(...values), affected: 0 }
    : { rows: [], affected: statement.run(...values).changes };
}

function onServer(connection: PoolConnection, sql: string, values: unknown[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error | null, result: RawRow[] | ResultSetHeader) => {
      if (error) {
        reject(error);
      } else {
        resolve(
          Array.isArray(result) ? { rows: result, affected: 0 } : { rows: [], affected: result.affectedRows },
        );
      }
    };
    if (values.length > 0) {
      connection.execute(sql, values as never, answer as never);
    } else {
      connection.query(sql, answer as never);
    }
  });
}
