import type { DataSource, DataSourceOptions } from 'typeorm';
import { engineOf } from './engines/engines.js';
import { migrate } from './migrate.js';
import type { UnitOfWork } from './transactions/unit-of-work.js';

/** Opens the database and brings its schema up to date. */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = await open(options);
  try {
    await migrate(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  engineOf(dataSource).limitWaits(dataSource);
  return dataSource;
}

/**
 * The unit of work. On SQLite it writes on its own connection, so that reads on the other one see only committed data.
 */
export async function openUnitOfWork(dataSource: DataSource): Promise<UnitOfWork> {
  const engine = engineOf(dataSource);
  return engine.unitOfWork(await engine.writerFor(dataSource));
}

/** Opens the database without migrating it. */
export function open(options: DataSourceOptions): Promise<DataSource> {
  return engineOf({ options }).open(options);
}
