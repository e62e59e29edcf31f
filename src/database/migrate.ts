import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { Leases } from './leases.js';
import type { UnitOfWork } from './unit-of-work.js';
import { unitOfWorkOn } from './unit-of-work-on.js';

const POLL_MS = 200;

/** Created before the migrations run, because they run under a lease. A migration creates the same table. */
const CREATE_LEASES =
  'CREATE TABLE IF NOT EXISTS leases (name varchar(64) NOT NULL PRIMARY KEY, holder varchar(36) NOT NULL, ends_at bigint NOT NULL)';

/** Brings the schema up to date. When several processes start at once, one of them migrates and the others wait. */
export async function migrate(dataSource: DataSource): Promise<void> {
  if (await isUpToDate(dataSource)) return;

  const unitOfWork = unitOfWorkOn(dataSource);
  await unitOfWork.run((manager) => manager.query(CREATE_LEASES));
  const leases = new Leases(dataSource, unitOfWork);
  const run = () => runMigrations(dataSource, unitOfWork);
  while (!(await leases.tryHold('migrations', run))) await setTimeout(POLL_MS);
}

async function runMigrations(dataSource: DataSource, unitOfWork: UnitOfWork): Promise<void> {
  if (dataSource.options.type === 'better-sqlite3') {
    // TypeORM's own transaction begins with a read, and fails if another process that waits here writes then.
    await dataSource.query('PRAGMA foreign_keys = OFF'); // has no effect inside a transaction
    await unitOfWork.run(() => dataSource.runMigrations({ transaction: 'none' }));
    await dataSource.query('PRAGMA foreign_keys = ON');
  } else {
    await dataSource.runMigrations({ transaction: 'each' });
  }
}

/** Whether every migration of this version has run. */
export async function isUpToDate(dataSource: DataSource): Promise<boolean> {
  try {
    const rows: { name: string }[] = await dataSource.query('SELECT name FROM migrations');
    const done = new Set(rows.map(({ name }) => name));
    return dataSource.migrations.every(({ name, constructor }) => done.has(name ?? constructor.name)); // as TypeORM names them
  } catch {
    return false; // an empty database has no such table yet
  }
}
