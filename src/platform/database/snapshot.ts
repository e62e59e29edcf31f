import type { DataSource, EntityManager } from 'typeorm';

/** Runs `work` with a manager whose reads all see the database as it is at one moment, while others write to it. */
export async function inSnapshot<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    if (dataSource.options.type === 'better-sqlite3') {
      await runner.query('BEGIN'); // the snapshot is that of the first read
    } else {
      await runner.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await runner.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    }
    return await work(runner.manager);
  } finally {
    await runner.query('ROLLBACK').catch(() => undefined); // the connection may be lost, which ends it as well
    await runner.release();
  }
}
