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

/** Whether the name of a migration begins with that of its module, which is the part before `_`. */
export function isOfModule(migration: string): boolean {
  return /^[A-Za-z]\w*?_\w/.test(migration);
}

/**
 * Those of `migrations` that newer versions of the service or of its modules have, and this program does not. Those of
 * modules that it does not have are ignored: a command starts without modules, and a module may be removed.
 */
export function newerMigrations(migrations: string[], known: string[]): string[] {
  const modules = new Set(known.map(moduleOf));
  return migrations.filter((name) => !known.includes(name) && modules.has(moduleOf(name)));
}

/**
 * Refuses a database in which a newer version of the service, or of one of its modules, has run migrations, and one
 * of a build from before modules had migrations of their own.
 * @throws StartError
 */
export async function assertKnownSchema(dataSource: DataSource): Promise<void> {
  const applied = await appliedMigrations(dataSource);
  if (!applied.every(isOfModule))
    throw new StartError(
      'The database was made by a build from before the first release, whose schema this version cannot upgrade.',
    );
  const newer = newerMigrations(applied, knownMigrations(dataSource));
  if (newer.length > 0) throw new StartError(messageAbout(newer));
}

/** The name of its module. */
export function moduleOf(migration: string): string {
  return migration.slice(0, migration.indexOf('_'));
}

function messageAbout(newer: string[]): string {
  const named = newer.slice(0, MAX_NAMED).join(', ');
  const more = newer.length > MAX_NAMED ? ` and ${newer.length - MAX_NAMED} more` : '';
  return (
    `The database was upgraded by a newer version than this one, ${APPLICATION_VERSION}, ` +
    `which does not know its migrations ${named}${more}: ` +
    'start the newer version, or restore a backup from before the upgrade (docs/operating/upgrades.md).'
  );
}
