// Where a server under test keeps what it stores.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';

let places = 0;

/** A fresh data folder, and a fresh database where there is a server. Both are gone afterwards. */
export async function inPlace(server, work) {
  const folder = mkdtempSync(join(tmpdir(), 'sealpush-bench-'));
  const database = `sealpush_bench_${process.pid}_${++places}`;
  const onServer = async (statement) => {
    const connection = await mysql.createConnection(server);
    await connection.query(statement);
    await connection.end();
  };
  if (server) await onServer(`CREATE DATABASE ${database}`);
  try {
    return await work({
      folder,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: folder,
        ...(server && { DATABASE_URL: `${server}/${database}` }),
      },
    });
  } finally {
    if (server) await onServer(`DROP DATABASE ${database}`);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `sqlite`, or what the server says it is. */
export async function engineOf(server) {
  if (!server) return 'sqlite';
  const connection = await mysql.createConnection(server);
  const [[{ version }]] = await connection.query('SELECT VERSION() AS version');
  await connection.end();
  return version.includes('MariaDB') ? 'mariadb' : 'mysql';
}
