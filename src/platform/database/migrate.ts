import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { appliedMigrations, assertKnownSchema, knownMigrations } from './applied-migrations.js';
import { Leases } from './leases.js';
import { assertImportFinished } from './unfinished-import.js';
import type { UnitOfWork } from './transactions/unit-of-work.js';
import { unitOfWorkOn } from './engine.js';

const POLL_MS = 200;

/** Created before the migrations run, because they run under a lease. A migration creates the same table. */
const CREATE_LEASES =
  'CREATE TABLE IF NOT EXISTS leases (name varchar(64) NOT NULL PRIMARY KEY, holder varchar(36) NOT NULL, ends_at bigint NOT NULL)';

/**
 * Brings the schema up to date. When several processes start at the same time, one of them migrates and the others wait.
 * @throws StartError when this program must not use the database; then nothing is changed in it
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  await assertUsable(dataSource);
  if (await isUpToDate(dataSource)) return;

  const unitOfWork = unitOfWorkOn(dataSource);
  await underMigrationLease(dataSource, unitOfWork, async () => {
    await assertUsable(dataSource); // while this process waited, another may have migrated it further
    await runMigrations(dataSource, unitOfWork);
  });
}

/** Waits until no other process migrates the database or imports into it, and keeps others from doing so. */
export async function underMigrationLease(
  dataSource: DataSource,
  unitOfWork: UnitOfWork,
  work: () => Promise<void>,
): Promise<void> {
  await unitOfWork.run((manager) => manager.query(CREATE_LEASES));
  const leases = new Leases(dataSource, unitOfWork);
  while (!(await leases.runIfFree('migrations', work))) await setTimeout(POLL_MS);
}

export async function runMigrations(dataSource: DataSource, unitOfWork: UnitOfWork): Promise<void> {
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
  const done = new Set(await appliedMigrations(dataSource));
  return knownMigrations(dataSource).every((name) => done.has(name));
}

async function assertUsable(dataSource: DataSource): Promise<void> {
  await assertImportFinished(dataSource);
  await assertKnownSchema(dataSource);
}
