import type { DataSource, Logger } from 'typeorm';

/** A statement that the app has sent, with the parameters it had the first time. */
export interface Statement {
  sql: string;
  parameters: unknown[];
}

/** Notes each distinct statement that reads or changes rows, until it is told to stop. */
export function recordStatements(dataSource: DataSource): () => Statement[] {
  const before = dataSource.logger;
  const statements = new Map<string, Statement>();
  const note = (sql: string, parameters: unknown[] = []) => {
    if (!/^(SELECT|INSERT|REPLACE|UPDATE|DELETE|WITH)\b/i.test(sql)) return;
    const shape = sql.replace(/\?(, ?\?)+/g, '?, …');
    const known = statements.get(shape);
    if (!known || known.parameters.length < parameters.length) statements.set(shape, { sql, parameters });
  };
  dataSource.logger = Object.assign(Object.create(before) as Logger, { logQuery: note });
  return () => {
    dataSource.logger = before;
    return [...statements.values()];
  };
}
