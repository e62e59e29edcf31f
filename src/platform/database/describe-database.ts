import { stat } from 'node:fs/promises';
import type { DataSource } from 'typeorm';

/** The database that is in use. */
export interface DatabaseDescription {
  engine: 'SQLite' | 'MySQL' | 'MariaDB';
  version: string;
  /** The name of the latest migration. */
  schema?: string;
  /** The size of its files; absent on a server. */
  bytes?: number;
}

export async function describeDatabase(dataSource: DataSource): Promise<DatabaseDescription> {
  const { options } = dataSource;
  const schema = await latestMigration(dataSource);
  if (options.type === 'better-sqlite3') {
    const version = await versionBy(dataSource, 'sqlite_version()');
    return { engine: 'SQLite', version, schema, bytes: await bytesOf(options.database) };
  }
  const engine = options.type === 'mariadb' ? 'MariaDB' : 'MySQL';
  return { engine, version: await versionBy(dataSource, 'VERSION()'), schema };
}

async function versionBy(dataSource: DataSource, call: string): Promise<string> {
  const [row] = await dataSource.query<{ version: string }[]>(`SELECT ${call} AS version`);
  return row?.version ?? '';
}

async function latestMigration(dataSource: DataSource): Promise<string | undefined> {
  const [row] = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM migrations ORDER BY timestamp DESC, id DESC LIMIT 1',
  );
  return row?.name;
}

/** With the write-ahead log. */
async function bytesOf(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
