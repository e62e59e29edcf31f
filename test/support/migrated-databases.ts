import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppModule } from '../../src/app.module.js';
import { connect } from '../../src/platform/database/connect.js';
import { dataSourceOptions } from '../../src/platform/database/engines/engines.js';
import { Lease } from '../../src/platform/database/leases.js';
import { schemaIn } from '../../src/platform/database/migrations.module.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { createDatabase, dropDatabase } from './databases.js';
import { engine } from './engine.js';
import type { Row, ServerDatabase } from './server-database.js';
import { onDatabase } from './server-database.js';

/** What the migrations leave in a database on a server. */
interface Migrated {
  tables: string[];
  /** The columns of all tables, and the migrations. */
  schema: string;
  /** The rows of each table that has some, except `migrations`. */
  rows: [table: string, rows: Row[]][];
}

/** What the specs of a suite share. */
interface Shared {
  /** The databases of tests that have ended. */
  spare: string[];
  migrated?: Migrated;
  /** A migrated database of SQLite. */
  file?: Buffer;
}

const shared: Shared = { spare: [] };

/**
 * The URL of a database with all migrations, and without other rows than theirs. Migrating takes longer than most tests,
 * so it is one that an earlier test has used, emptied, unless it has another schema now or is still in use.
 */
export async function takeDatabase(): Promise<string> {
  for (let url = shared.spare.pop(); url !== undefined; url = shared.spare.pop()) {
    if (await onDatabase(url, resetIfUnchanged).catch(() => false)) return url;
    await dropDatabase(url);
  }
  const url = await createDatabase();
  await migrate({ DATABASE_URL: url });
  shared.migrated ??= await onDatabase(url, readMigrated);
  return url;
}

/** Lets a later test use the database. */
export function giveBackDatabase(url: string): void {
  shared.spare.push(url);
}

/** The content of a migrated database of SQLite. */
export async function migratedFile(): Promise<Buffer> {
  return (shared.file ??= await makeMigratedFile());
}

async function makeMigratedFile(): Promise<Buffer> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'sealpush-test-'));
  await migrate({ DATA_DIR });
  const file = await readFile(join(DATA_DIR, 'sealpush.sqlite3'));
  await rm(DATA_DIR, { recursive: true });
  return file;
}

async function migrate(env: Record<string, string>): Promise<void> {
  const options = await dataSourceOptions(readSettings(env));
  const { migrations } = await schemaIn(AppModule);
  const dataSource = await connect(Object.assign(options, { entities: [Lease], migrations }));
  await dataSource.destroy();
}

async function readMigrated(database: ServerDatabase): Promise<Migrated> {
  const tables = (await database.tables()).filter((table) => table !== 'migrations');
  const rows: Migrated['rows'] = [];
  for (const table of await filledOf(database, tables))
    rows.push([table, await database.query(`SELECT * FROM ${table}`)]);
  return { tables, schema: await schemaOf(database), rows };
}

async function resetIfUnchanged(database: ServerDatabase): Promise<boolean> {
  const { migrated } = shared;
  const isUnchanged =
    migrated !== undefined &&
    !(await database.isUsedByOthers()) &&
    (await schemaOf(database)) === migrated.schema;
  if (isUnchanged) await reset(database, migrated);
  return isUnchanged;
}

async function schemaOf(database: ServerDatabase): Promise<string> {
  const [type, schema] =
    engine.name === 'postgres' ? ['data_type', 'current_schema()'] : ['column_type', 'DATABASE()'];
  const columns = `SELECT table_name, column_name, ${type} FROM information_schema.columns
    WHERE table_schema = ${schema} ORDER BY table_name, ordinal_position`;
  const migrations = 'SELECT name FROM migrations ORDER BY id';
  return JSON.stringify([await database.query(columns), await database.query(migrations)]);
}

async function reset(database: ServerDatabase, { tables, rows }: Migrated): Promise<void> {
  await database.ignoreForeignKeys();
  await database.query('BEGIN');
  for (const table of await filledOf(database, tables)) await database.query(`DELETE FROM ${table}`);
  for (const [table, all] of rows)
    for (const row of all) {
      const values = Object.values(row);
      const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.map(() => '?').join(', ')})`;
      await database.query(sql, values);
    }
  await database.query('COMMIT');
}

/** The tables that have rows. */
async function filledOf(database: ServerDatabase, tables: string[]): Promise<string[]> {
  const each = tables.map((table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT 1 FROM ${table})`);
  return (await database.query(each.join(' UNION ALL '))).map(({ name }) => name as string);
}
