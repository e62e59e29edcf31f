import { dirname } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { DataSource } from 'typeorm';
import { StartError } from '../settings/start-error.js';
import { setQueryTimeouts } from './mysql/query-timeouts.js';
import { assertWritable, makeDataFolder } from './data-folder.js';
import { databaseErrorCode } from './errors/database-error.js';
import { migrate } from './migrate.js';
import type { UnitOfWork } from './transactions/unit-of-work.js';
import { unitOfWorkOn } from './engine.js';

/** Opens the database and brings its schema up to date. */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = await open(options);
  try {
    await migrate(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  setQueryTimeouts(dataSource);
  return dataSource;
}

/**
 * The unit of work. On SQLite it writes on its own connection, so that reads on the other one see only committed data.
 */
export async function openUnitOfWork(dataSource: DataSource): Promise<UnitOfWork> {
  const { options } = dataSource;
  return unitOfWorkOn(options.type === 'better-sqlite3' ? await open(options) : dataSource);
}

/** Opens the database without migrating it. */
export async function open(options: DataSourceOptions): Promise<DataSource> {
  if (options.type === 'better-sqlite3') await prepareFile(options.database);
  try {
    return await allowMediumBlob(new DataSource(options)).initialize();
  } catch (error) {
    const code = databaseErrorCode(error);
    if (!code.startsWith('SQLITE_') || /^SQLITE_(BUSY|FULL|IOERR|PROTOCOL)/.test(code)) throw error;
    throw new StartError(
      `The database in DATA_DIR, ${String(options.database)}, cannot be opened (${code}).`,
    );
  }
}

/** Makes TypeORM accept `mediumblob` on SQLite, which accepts any type name; one that contains BLOB stores bytes. */
export function allowMediumBlob(dataSource: DataSource): DataSource {
  if (dataSource.options.type === 'better-sqlite3') {
    dataSource.driver.supportedDataTypes.push('mediumblob');
  }
  return dataSource;
}

/** SQLite reports each of these errors as SQLITE_CANTOPEN or SQLITE_READONLY. */
async function prepareFile(path: string): Promise<void> {
  await makeDataFolder(dirname(path));
  await assertWritable(path);
}
