// Database servers of either kind, past the service.
import { execFileSync } from 'node:child_process';
import mysql from 'mysql2/promise';
import pg from 'pg';

export function isPostgres(url) {
  return /^postgres(ql)?:/.test(url);
}

/** A connection: `query` gives rows. */
export async function connectTo(url) {
  if (!isPostgres(url)) {
    const connection = await mysql.createConnection(url);
    return {
      query: async (sql, values) => (await connection.query(sql, values))[0],
      end: () => connection.end(),
    };
  }
  const client = new pg.Client(url);
  await client.connect();
  return {
    query: async (sql, values) => (await client.query(sql, values)).rows,
    end: () => client.end(),
  };
}

/** `sqlite`, or what the server says it is. */
export async function engineOf(server) {
  if (!server) return 'sqlite';
  if (isPostgres(server)) return 'postgres';
  const connection = await connectTo(server);
  const [{ version }] = await connection.query('SELECT VERSION() AS version');
  await connection.end();
  return version.includes('MariaDB') ? 'mariadb' : 'mysql';
}

/** The process on this machine that listens at the port of a database URL. */
export function pidAt(url) {
  const port = new URL(url).port || (isPostgres(url) ? 5432 : 3306);
  const output = execFileSync('ss', ['-Hltnp', `sport = :${port}`]).toString();
  const pid = /pid=(\d+)/.exec(output)?.[1];
  if (!pid) throw new Error(`no process of this machine listens at ${url}`);
  return Number(pid);
}
