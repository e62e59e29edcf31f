import type { DataSource } from 'typeorm';
import { MysqlUnitOfWork } from './mysql-unit-of-work.js';
import { SqliteUnitOfWork } from './sqlite-unit-of-work.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Writes by this connection; on SQLite nobody else may use it meanwhile. */
export function unitOfWorkOn(dataSource: DataSource): UnitOfWork {
  return dataSource.options.type === 'better-sqlite3'
    ? new SqliteUnitOfWork(dataSource)
    : new MysqlUnitOfWork(dataSource);
}
