import type { PoolConnection, ResultSetHeader } from 'mysql2';
import type { QueryRunner } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import type { RawRow, StatementResult } from '../engine/engine.js';

/** `Engine.execute` on MySQL and MariaDB. */
export async function executeOnMysql(
  runner: QueryRunner,
  sql: string,
  values: unknown[] = [],
): Promise<StatementResult> {
  const connection = (await runner.connect()) as PoolConnection;
  runner.dataSource.logger.logQuery(sql, values, runner);
  try {
    return await send(connection, sql, values);
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}

function send(connection: PoolConnection, sql: string, values: unknown[]): Promise<StatementResult> {
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
