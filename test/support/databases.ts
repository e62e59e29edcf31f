import { randomBytes } from 'node:crypto';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import { engine } from './engine.js';

/** Makes a database without tables on the server of the engine, and returns its URL. */
export async function createDatabase(): Promise<string> {
  const name = `${engine.databasePrefix}${randomBytes(6).toString('hex')}`;
  await onConnection(engine.url, (server) => server.query(`CREATE DATABASE ${name}`));
  return `${engine.url}/${name}`;
}

export async function dropDatabase(url: string): Promise<void> {
  await onConnection(engine.url, (server) => server.query(`DROP DATABASE IF EXISTS ${nameOf(url)}`));
}

/** Works on a connection of its own. */
export async function onConnection<T>(url = '', work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

export async function rowsOf(connection: Connection, sql: string): Promise<RowDataPacket[]> {
  return (await connection.query<RowDataPacket[]>(sql))[0];
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
