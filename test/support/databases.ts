import { randomBytes } from 'node:crypto';
import type { Connection } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import { engine } from './engine.js';
import { onDatabase } from './server-database.js';

/** Makes a database without tables on a server, by default that of the engine, and returns its URL. */
export async function createDatabase(server = engine.url ?? ''): Promise<string> {
  const name = `${engine.databasePrefix}${randomBytes(6).toString('hex')}`;
  await onDatabase(server, (connection) => connection.query(`CREATE DATABASE ${name}`));
  return `${server}/${name}`;
}

export async function dropDatabase(url: string): Promise<void> {
  const name = nameOf(url);
  const force = /^postgres/.test(url) ? ' WITH (FORCE)' : '';
  const sql = `DROP DATABASE IF EXISTS ${name}${force}`;
  await onDatabase(url.slice(0, -name.length - 1), (server) => server.query(sql));
}

/** Works on a connection of its own to MySQL or MariaDB. */
export async function onConnection<T>(url = '', work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
