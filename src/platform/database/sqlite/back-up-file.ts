import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DataSource } from 'typeorm';
import { Refusal } from '../../errors/refusal.js';
import { syncFolder } from '../engine/durable-files.js';
import { databaseOf } from './execute-on-sqlite.js';

/** `Engine.backUp` on SQLite. */
export async function backUpFile(
  dataSource: DataSource,
  path: string,
  start: () => Promise<void>,
): Promise<void> {
  await createEmpty(path);
  try {
    await start();
    // all pages in one step: with several, the backup restarts when another process writes in between
    await databaseOf(dataSource).backup(path, { progress: ({ totalPages }) => totalPages });
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
