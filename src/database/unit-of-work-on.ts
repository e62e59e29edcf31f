import type { DataSource } from 'typeorm';
import { MysqlUnitOfWork } from './mysql-unit-of-work.js';
import { SqliteUnitOfWork } from './sqlite-unit-of-work.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A UnitOfWork on this connection; on SQLite nothing else may use the connection at the same time. */
export function unitOfWorkOn(dataSource: DataSource): UnitOfWork {
  return dataSource.options.type === 'better-sqlite3'
    ? new SqliteUnitOfWork(dataSource)
    : new MysqlUnitOfWork(dataSource);
}
