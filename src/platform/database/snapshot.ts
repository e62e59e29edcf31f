import type { DataSource, EntityManager } from 'typeorm';
import { engineOf } from './engines/engines.js';

/** Runs `work` with a manager whose reads all see the database as it is at one moment, while others write to it. */
export async function inSnapshot<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    for (const statement of engineOf(dataSource).beginSnapshot) await runner.query(statement);
    return await work(runner.manager);
  } finally {
    await runner.query('ROLLBACK').catch(() => undefined); // the connection may be lost, which ends it as well
    await runner.release();
  }
}
