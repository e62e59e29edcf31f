import type { INestApplication } from '@nestjs/common';
import type { Logger } from 'typeorm';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';

/** A statement that the app has executed, with the longest list of parameters it had. */
export interface Statement {
  sql: string;
  parameters: unknown[];
}

/** Records each distinct statement that reads or changes rows, on each connection, until stopped. */
export async function recordStatements(app: INestApplication): Promise<() => Statement[]> {
  const statements = new Map<string, Statement>();
  const note = (sql: string, parameters: unknown[] = []) => {
    if (!/^(SELECT|INSERT|REPLACE|UPDATE|DELETE|WITH)\b/i.test(sql)) return;
    const shape = sql.replace(/\?(, ?\?)+/g, '?, …');
    const known = statements.get(shape);
    if (!known || known.parameters.length < parameters.length) statements.set(shape, { sql, parameters });
  };
  const stop = await logStatements(app, note);
  return () => {
    stop();
    return [...statements.values()];
  };
}

/** Logs each statement of the app before it is executed, until stopped. */
export async function logStatements(
  app: INestApplication,
  log: (sql: string, parameters?: unknown[]) => void,
): Promise<() => void> {
  const writer = await app
    .get(UnitOfWork)
    .outsideTransaction((manager) => Promise.resolve(manager.dataSource));
  const stops = [...new Set([app.get(DataSource), writer])].map((dataSource) => {
    const before = dataSource.logger;
    dataSource.logger = Object.assign(Object.create(before) as Logger, { logQuery: log });
    return () => {
      dataSource.logger = before;
    };
  });
  return () => {
    stops.forEach((stop) => {
      stop();
    });
  };
}
