import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Instance } from './instance.js';
import { connectToServer, onDatabase } from './server-database.js';

/** A connection to an instance's database that is independent of the app. */
export interface OtherConnection {
  /** Runs one statement, with `?` as placeholders for its parameters. */
  query(sql: string, parameters?: unknown[]): Promise<any[]>;
  close(): Promise<void>;
}

export async function connectBeside(instance: Instance): Promise<OtherConnection> {
  const url = instance.env.DATABASE_URL;
  if (url === undefined) return connectToFile(join(instance.dataDir, 'sealpush.sqlite3'));

  return connectToServer(url);
}

/** Runs one statement beside the app. */
export async function queryBeside(instance: Instance, sql: string, parameters?: unknown[]): Promise<any[]> {
  const other = await connectBeside(instance);
  try {
    return await other.query(sql, parameters);
  } finally {
    await other.close();
  }
}

function connectToFile(path: string): OtherConnection {
  const database = new Database(path);
  return {
    // oxlint-disable-next-line typescript/require-await -- so that errors reject the promise, as with a server
    query: async (sql, parameters = []) => {
      const statement = database.prepare(sql);
      if (statement.reader) return statement.all(...parameters);
      statement.run(...parameters);
      return [];
    },
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}

/** The names of the tables of an instance's database. */
export async function tableNamesOf(instance: Instance): Promise<string[]> {
  const url = instance.env.DATABASE_URL;
  if (url !== undefined) return onDatabase(url, (database) => database.tables());
  const rows = await queryBeside(instance, 'SELECT name FROM sqlite_master');
  return rows.map(({ name }) => name as string);
}
