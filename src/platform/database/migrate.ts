import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { appliedMigrations, assertKnownSchema, knownMigrations } from './applied-migrations.js';
import { Leases } from './leases.js';
import type { UnitOfWork } from './transactions/unit-of-work.js';
import { engineOf, unitOfWorkOn } from './engines/engines.js';
import { StartError } from '../settings/start-error.js';
import { tableNames } from './tables.js';

const POLL_MS = 200;

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
    await engineOf(dataSource).runMigrations(dataSource, unitOfWork);
  });
}

/** Waits until no other process migrates the database or imports into it, and keeps others from doing so. */
export async function underMigrationLease(
  dataSource: DataSource,
  unitOfWork: UnitOfWork,
  work: () => Promise<void>,
): Promise<void> {
  await engineOf(dataSource).createLeases(unitOfWork); // a migration creates the same table
  const leases = new Leases(dataSource, unitOfWork);
  while (!(await leases.runIfFree('migrations', work))) await setTimeout(POLL_MS);
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

/** Exists from before the first row is imported until after the last. */
export const UNFINISHED_IMPORT = 'unfinished_import';

/** @throws StartError when an import into this database was interrupted */
async function assertImportFinished(dataSource: DataSource): Promise<void> {
  if (!(await tableNames(dataSource)).includes(UNFINISHED_IMPORT)) return;
  throw new StartError(
    'An import into this database has not finished: ' +
      'run it again (npm run -s cli -- import FILE), or use an empty database.',
  );
}
