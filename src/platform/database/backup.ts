import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { Refusal } from '../errors/refusal.js';
import { syncFolder } from './durable-files.js';

/**
 * Copies a consistent snapshot of an SQLite database, even while it is written to. Never overwrites a file.
 * @param start runs once the file is there and before the rows are read
 * @throws Refusal
 */
export async function backUpDatabase(
  { options, driver }: DataSource,
  path: string,
  start: () => Promise<void>,
): Promise<void> {
  if (options.type !== 'better-sqlite3') throw new Refusal(howToDump(options as ServerOptions, path));

  await createEmpty(path);
  try {
    await start();
    const { databaseConnection } = driver as unknown as { databaseConnection: Database };
    // all pages in one step: with several, the backup restarts when another process writes in between
    await databaseConnection.backup(path, { progress: ({ totalPages }) => totalPages });
    await makeDurable(path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Readable only by its owner, like the database itself. */
async function createEmpty(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Refusal(
      code === 'EEXIST'
        ? `${path} already exists, and a backup overwrites nothing.`
        : `${path} cannot be written (${code}).`,
    );
  }
}

async function makeDurable(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}

interface ServerOptions {
  type: string;
  host: string;
  port: number;
  username: string;
  database: string;
}

function howToDump({ type, host, port, username, database }: ServerOptions, path: string): string {
  const [program, more] = type === 'mariadb' ? ['mariadb-dump', ''] : ['mysqldump', ' --set-gtid-purged=OFF'];
  return (
    'Back up a database server with its own program: ' +
    `${program} --single-transaction --no-tablespaces --hex-blob${more} -h ${host} -P ${port} -u ${username} -p ${database} > ${path} ` +
    '- see docs/operating/backup.md for the rest.'
  );
}
