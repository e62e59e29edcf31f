import type { DataSource } from 'typeorm';
import { APPLICATION_VERSION } from '../settings/application-version.js';
import { StartError } from '../settings/start-error.js';
import { isMissingTable } from './errors/database-error.js';

const MAX_NAMED = 3;

/** The names of the migrations that have run in this database; none when it is empty. */
export async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  try {
    const rows: { name: string }[] = await dataSource.query('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** The names of the migrations of this program, with those of its modules. */
export function knownMigrations(dataSource: DataSource): string[] {
  return dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name); // as TypeORM names them
}

/** Whether a migration is of a module that was added to the service: the part before `_` is the module's name. */
export function isOfModule(migration: string): boolean {
  return /^[A-Za-z]\w*?_\w/.test(migration);
}

/**
 * Refuses a database in which a newer version of the service, or of one of its modules, has run migrations. Those of
 * modules that this program does not have are ignored: a command starts without modules, and a module may be removed.
 * @throws StartError
 */
export async function assertNotNewer(dataSource: DataSource): Promise<void> {
  const known = knownMigrations(dataSource);
  const owners = new Set([moduleOf(''), ...known.map(moduleOf)]);
  const unknown = (await appliedMigrations(dataSource)).filter(
    (name) => !known.includes(name) && owners.has(moduleOf(name)),
  );
  if (unknown.length > 0) throw new StartError(messageAbout(unknown));
}

/** The name of the module, empty for the service itself. */
function moduleOf(migration: string): string {
  return isOfModule(migration) ? migration.slice(0, migration.indexOf('_')) : '';
}

function messageAbout(unknown: string[]): string {
  const named = unknown.slice(0, MAX_NAMED).join(', ');
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
  return (
    `The database was upgraded by a newer version than this one, ${APPLICATION_VERSION}, ` +
    `which does not know its migrations ${named}${more}: ` +
    'start the newer version, or restore a backup from before the upgrade (docs/operating/upgrades.md).'
  );
}
