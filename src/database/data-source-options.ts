import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import type { Settings } from '../settings/settings.js';
import { migrations } from './migrations/index.js';
import { mysqlOptions } from './mysql-options.js';
import { SnakeCaseNames } from './snake-case-names.js';
import { prepareSqlite, SQLITE_BUSY_TIMEOUT_MS } from './sqlite-connection.js';

/** TypeORM's options for the database in the settings: a server, or a file in DATA_DIR. Modules add their entities. */
export async function dataSourceOptions(settings: Settings): Promise<DataSourceOptions> {
  const common = { migrations, namingStrategy: new SnakeCaseNames(), migrationsTableName: 'migrations' };
  if (settings.DATABASE_URL) {
    return { ...common, ...(await mysqlOptions(settings.DATABASE_URL, settings.DATABASE_POOL_SIZE)) };
  } else {
    return {
      ...common,
      type: 'better-sqlite3',
      database: join(settings.DATA_DIR, 'sealpush.sqlite3'),
      timeout: SQLITE_BUSY_TIMEOUT_MS,
      prepareDatabase: prepareSqlite,
    };
  }
}
