import type { QueryRunner } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import type { StatementResult } from '../engine/engine.js';
import type { Statement } from '../transactions/unit-of-work.js';
import type { CommandResult } from './message.js';
import { isNotPrepared, Message } from './message.js';
import type { ServerConnection } from './server-pool.js';

/** `Engine.execute` on PostgreSQL. Outside of a transaction, a statement that the server no longer knows is sent again. */
export async function executeOnPostgres(
  runner: QueryRunner,
  sql: string,
  values: unknown[] = [],
): Promise<StatementResult> {
  const statement = [{ sql, values }];
  const connection = (await runner.connect()) as ServerConnection;
  const isAlone = !connection.isInTransaction;
  const results = executeTogether(runner, statement).catch((error: unknown) => {
    if (!isAlone || !isNotPrepared((error as QueryFailedError).driverError)) throw error;
    return executeTogether(runner, statement);
  });
  return (await results)[0] as StatementResult;
}

/**
 * Executes statements in one round trip; in a transaction of their own unless one is open.
 * @throws QueryFailedError
 */
export async function executeTogether(runner: QueryRunner, list: Statement[]): Promise<CommandResult[]> {
  const connection = (await runner.connect()) as ServerConnection;
  for (const { sql, values } of list) runner.dataSource.logger.logQuery(sql, values, runner);
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, results: CommandResult[]) => {
      if (error) {
        const sql = list.map((statement) => statement.sql).join('; ');
        reject(new QueryFailedError(sql, list[0]?.values, connection.noted(error)));
      } else {
        resolve(results);
      }
    };
    connection.send(new Message(list, !connection.isPooled, settle));
  });
}
