// Where a server under test keeps what it stores.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo, isPostgres } from './server.mjs';

let places = 0;

/** A fresh data folder, and a fresh database where there is a server. Both are gone afterwards. */
export async function inPlace(server, work) {
  const folder = mkdtempSync(join(tmpdir(), 'sealpush-bench-'));
  const database = `sealpush_bench_${process.pid}_${++places}`;
  const onServer = async (statement) => {
    const connection = await connectTo(server);
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
    if (server) await onServer(`DROP DATABASE ${database}${isPostgres(server) ? ' WITH (FORCE)' : ''}`);
    rmSync(folder, { recursive: true, force: true });
  }
}
