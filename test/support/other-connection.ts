import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import type { Instance } from './instance.js';

/** A connection to an instance's database that is independent of the app. */
export interface OtherConnection {
  /** Runs one statement, with `?` as placeholders for its parameters. */
  query(sql: string, parameters?: unknown[]): Promise<any[]>;
  close(): Promise<void>;
}

export async function connectBeside(instance: Instance): Promise<OtherConnection> {
  const url = instance.env.DATABASE_URL;
  if (url === undefined) return connectToFile(join(instance.dataDir, 'sealpush.sqlite3'));

  const connection = await createConnection(url);
  return {
    query: async (sql, parameters) => (await connection.query(sql, parameters))[0] as any[],
    close: () => connection.end(),
  };
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
