import type { Connection, RowDataPacket } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { engine } from './engine.js';

export type Row = Record<string, unknown>;

/** A connection to a database on a server, independent of the app. */
export interface ServerDatabase {
  /** Runs one statement, with `?` as placeholders for its parameters. */
  query(sql: string, parameters?: unknown[]): Promise<any[]>;
  /** The names of its tables. */
  tables(): Promise<string[]>;
  /** Whether others are connected to it. */
  isUsedByOthers(): Promise<boolean>;
  /** From now on, foreign keys are not checked on this connection. */
  ignoreForeignKeys(): Promise<void>;
  close(): Promise<void>;
}

/** @param url that of a server too, which may have no database then */
export function connectToServer(url: string): Promise<ServerDatabase> {
  return /^postgres/.test(url) ? connectToPostgres(url) : connectToMysql(url);
}

/** Works on a connection of its own. */
export async function onDatabase<T>(url: string, work: (database: ServerDatabase) => Promise<T>): Promise<T> {
  const database = await connectToServer(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function connectToMysql(url: string): Promise<ServerDatabase> {
  const connection: Connection = await createConnection(url);
  const query = async (sql: string, parameters?: unknown[]) =>
    (await connection.query<RowDataPacket[]>(sql, parameters))[0];
  return {
    query,
    tables: async () => (await query('SHOW TABLES')).map((row) => Object.values(row)[0] as string),
    isUsedByOthers: async () => {
      const used = (await query('SHOW PROCESSLIST')).map(({ db }) => db as string | null);
      return used.filter((database) => database === connection.config.database).length > 1;
    },
    ignoreForeignKeys: async () => void (await query('SET foreign_key_checks = 0')),
    close: () => connection.end(),
  };
}

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);

async function connectToPostgres(url: string): Promise<ServerDatabase> {
  const hasDatabase = new URL(url).pathname.length > 1;
  const client = new pg.Client(hasDatabase ? url : `${url}/postgres`);
  client.on('error', () => undefined); // the next query fails
  await client.connect();
  const query = async (sql: string, parameters: unknown[] = []) => {
    return (await client.query<Row>(parameters.length > 0 ? placeholders(sql) : sql, parameters)).rows;
  };
  return {
    query,
    tables: async () => {
      const rows = await query('SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()');
      return rows.map(({ name }) => name as string);
    },
    isUsedByOthers: async () => {
      const others = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
      return (await query(others)).length > 0;
    },
    ignoreForeignKeys: async () => void (await query('SET session_replication_role = replica')),
    close: () => client.end(),
  };
}

/** SQL that servers of the engine of the specs have in common only in meaning. */
export const server =
  engine.name === 'postgres'
    ? {
        connectionId: 'pg_backend_pid()',
        kill: (id: number) => `SELECT pg_terminate_backend(${id}, 10000)`,
        sleep: (seconds: number) => `SELECT pg_sleep(${seconds})`,
      }
    : {
        connectionId: 'CONNECTION_ID()',
        kill: (id: number) => `KILL ${id}`,
        sleep: (seconds: number) => `SELECT SLEEP(${seconds})`,
      };

/** A statement with `?` as placeholders, as the engine of the specs has them. */
export function placeholders(sql: string): string {
  let count = 0;
  return engine.name === 'postgres' ? sql.replaceAll('?', () => `$${++count}`) : sql;
}

/** Bytes in SQL. */
export function bytesInSql(hex: string): string {
  return engine.name === 'postgres' ? `'\\x${hex}'::bytea` : `X'${hex}'`;
}

/** A date and time in UTC that an expression has as a text. */
export function dateTimeInSql(expression: string): string {
  return engine.name === 'postgres' ? `CAST(${expression} AS timestamp) AT TIME ZONE 'UTC'` : expression;
}
