import { join } from 'node:path';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { DefaultNamingStrategy } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils.js';
import type { Settings } from '../settings/settings.js';
import { MysqlUnitOfWork } from './mysql/mysql-unit-of-work.js';
import { assertUsable, limitWarnings } from './mysql/server-limits.js';
import { prepareSqlite, SQLITE_BUSY_TIMEOUT_MS } from './sqlite/sqlite-connection.js';
import { SqliteUnitOfWork } from './sqlite/sqlite-unit-of-work.js';
import type { UnitOfWork } from './transactions/unit-of-work.js';

/** `expiresAt` in the code is `expires_at` in the database. */
class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snakeCase(propertyName);
  }

  override joinColumnName(relationName: string, referencedColumnName: string): string {
    return snakeCase(`${relationName}_${referencedColumnName}`);
  }
}

/** TypeORM's options for the database in the settings: a server, or a file in DATA_DIR. Modules add their entities and migrations. */
export async function dataSourceOptions(settings: Settings): Promise<DataSourceOptions> {
  const common = { namingStrategy: new SnakeCaseNames(), migrationsTableName: 'migrations' };
  if (settings.DATABASE_URL) {
    const { mysqlOptions } = await import('./mysql/mysql-options.js'); // the driver is only loaded when it is needed
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

/**
 * What will not work with the database server of the settings, a sentence each; nothing on SQLite, whose limits are far
 * above what is written.
 * @throws StartError when it cannot be used at all
 */
export async function databaseWarnings(settings: Settings): Promise<string[]> {
  if (!settings.DATABASE_URL) return [];
  const { readVariables } = await import('./mysql/mysql-options.js');
  const variables = await readVariables(settings.DATABASE_URL);
  assertUsable(variables);
  return limitWarnings(variables, settings);
}

/** A UnitOfWork on this connection; on SQLite nothing else may use the connection at the same time. */
export function unitOfWorkOn(dataSource: DataSource): UnitOfWork {
  return dataSource.options.type === 'better-sqlite3'
    ? new SqliteUnitOfWork(dataSource)
    : new MysqlUnitOfWork(dataSource);
}
