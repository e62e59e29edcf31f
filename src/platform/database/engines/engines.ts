import type { DataSource, DataSourceOptions } from 'typeorm';
import { DefaultNamingStrategy } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils.js';
import { isPostgresAddress } from '../../settings/database-address.js';
import type { Settings } from '../../settings/settings.js';
import type { Engine } from '../engine/engine.js';
import { declareErrorCodes } from '../errors/database-error.js';
import { mysqlEngine } from '../mysql/mysql-engine.js';
import { postgresEngine } from '../postgres/postgres-engine.js';
import { sqliteEngine } from '../sqlite/sqlite-engine.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';

/** By TypeORM's names of their drivers. */
const ENGINES: Partial<Record<DataSourceOptions['type'], Engine>> = {
  'better-sqlite3': sqliteEngine,
  mysql: mysqlEngine,
  mariadb: mysqlEngine,
  postgres: postgresEngine,
};

for (const { errors } of [sqliteEngine, mysqlEngine, postgresEngine]) declareErrorCodes(errors);

/** The engine of a database. */
export function engineOf({ options }: { options: Pick<DataSourceOptions, 'type'> }): Engine {
  const engine = ENGINES[options.type];
  if (!engine) throw new Error(`There is no engine for ${options.type}`);
  return engine;
}

/** The engine of the database in the settings. */
export function engineFor({ DATABASE_URL }: Pick<Settings, 'DATABASE_URL'>): Engine {
  if (!DATABASE_URL) return sqliteEngine;
  return isPostgresAddress(DATABASE_URL) ? postgresEngine : mysqlEngine;
}

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
  const options = await engineFor(settings).options(settings);
  return Object.assign(options, {
    namingStrategy: new SnakeCaseNames(),
    migrationsTableName: 'migrations',
  });
}

/**
 * What will not work with the database server of the settings, a sentence each.
 * @throws StartError when it cannot be used at all
 */
export function databaseWarnings(settings: Settings): Promise<string[]> {
  return engineFor(settings).warnings(settings);
}

/** A UnitOfWork on this connection; on SQLite nothing else may use the connection at the same time. */
export function unitOfWorkOn(dataSource: DataSource): UnitOfWork {
  return engineOf(dataSource).unitOfWork(dataSource);
}
