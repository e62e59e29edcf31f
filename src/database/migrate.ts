import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { Leases } from './leases.js';
import type { UnitOfWork } from './unit-of-work.js';
import { unitOfWorkOn } from './unit-of-work-on.js';

const POLL_MS = 200;

/** The table of leases comes before the migrations, which run under one. A migration knows the same table. */
const CREATE_LEASES =
  'CREATE TABLE IF NOT EXISTS leases (name varchar(64) NOT NULL PRIMARY KEY, holder varchar(36) NOT NULL, ends_at bigint NOT NULL)';

/** Brings the schema up to date, one process at a time however many start at once. */
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
    // TypeORM's own transaction starts with reading, and fails when another process that waits here writes then.
    await dataSource.query('PRAGMA foreign_keys = OFF'); // has no effect inside a transaction
    await unitOfWork.run(() => dataSource.runMigrations({ transaction: 'none' }));
    await dataSource.query('PRAGMA foreign_keys = ON');
  } else {
    await dataSource.runMigrations({ transaction: 'each' });
  }
}

/** Whether every migration that this version knows has run. */
export async function isUpToDate(dataSource: DataSource): Promise<boolean> {
  try {
    const rows: { name: string }[] = await dataSource.query('SELECT name FROM migrations');
    const done = new Set(rows.map(({ name }) => name));
    return dataSource.migrations.every(({ name = '' }) => done.has(name));
  } catch {
    return false; // an empty database has no such table yet
  }
}
