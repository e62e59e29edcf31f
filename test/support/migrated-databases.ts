import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { AppModule } from '../../src/app.module.js';
import { connect } from '../../src/platform/database/connect.js';
import { dataSourceOptions } from '../../src/platform/database/engine.js';
import { Lease } from '../../src/platform/database/lease.entity.js';
import { schemaIn } from '../../src/platform/database/migrations.module.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { createDatabase, dropDatabase, onConnection, rowsOf } from './databases.js';

/** What the migrations leave in a database on a server. */
interface Migrated {
  tables: string[];
  /** The columns of all tables, and the migrations. */
  schema: string;
  /** The rows of each table that has some, except `migrations`. */
  rows: [table: string, rows: RowDataPacket[]][];
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
    if (await onConnection(url, resetIfUnchanged).catch(() => false)) return url;
    await dropDatabase(url);
  }
  const url = await createDatabase();
  await migrate({ DATABASE_URL: url });
  shared.migrated ??= await onConnection(url, readMigrated);
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

async function readMigrated(connection: Connection): Promise<Migrated> {
  const tables = (await rowsOf(connection, 'SHOW TABLES'))
    .map((row) => Object.values(row)[0] as string)
    .filter((table) => table !== 'migrations');
  const rows: Migrated['rows'] = [];
  for (const table of await filledOf(connection, tables))
    rows.push([table, await rowsOf(connection, `SELECT * FROM ${table}`)]);
  return { tables, schema: await schemaOf(connection), rows };
}

async function resetIfUnchanged(connection: Connection): Promise<boolean> {
  const { migrated } = shared;
  const isUnchanged =
    migrated !== undefined &&
    !(await isUsedByOthers(connection)) &&
    (await schemaOf(connection)) === migrated.schema;
  if (isUnchanged) await reset(connection, migrated);
  return isUnchanged;
}

async function isUsedByOthers(connection: Connection): Promise<boolean> {
  const used = (await rowsOf(connection, 'SHOW PROCESSLIST')).map(({ db }) => db as string | null);
  return used.filter((database) => database === connection.config.database).length > 1;
}

async function schemaOf(connection: Connection): Promise<string> {
  const columns = `SELECT table_name, column_name, column_type FROM information_schema.columns
    WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`;
  const migrations = 'SELECT name FROM migrations ORDER BY id';
  return JSON.stringify([await rowsOf(connection, columns), await rowsOf(connection, migrations)]);
}

async function reset(connection: Connection, { tables, rows }: Migrated): Promise<void> {
  const deletes = (await filledOf(connection, tables)).map((table) => `DELETE FROM ${table}`);
  await connection.query(['SET foreign_key_checks = 0', 'BEGIN', ...deletes].join(';'));
  for (const [table, all] of rows)
    for (const row of all) await connection.query(`INSERT INTO ${table} SET ?`, row);
  await connection.query('COMMIT');
}

/** The tables that have rows. */
async function filledOf(connection: Connection, tables: string[]): Promise<string[]> {
  const each = tables.map((table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT 1 FROM ${table})`);
  return (await rowsOf(connection, each.join(' UNION ALL '))).map(({ name }) => name as string);
}
