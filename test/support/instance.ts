import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { engine } from './engine.js';

/** An empty data folder and an empty database, for one or several servers. */
export interface Instance {
  dataDir: string;
  /** The environment variables that make a server use this instance. */
  env: Record<string, string>;
  destroy(): Promise<void>;
}

export async function makeInstance(): Promise<Instance> {
  const onDisk = await makeSqliteInstance();
  if (engine.url === undefined) return onDisk;

  const { dataDir } = onDisk;
  const database = `sealpush_test_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${database}`);
  return {
    dataDir,
    env: { DATA_DIR: dataDir, DATABASE_URL: `${engine.url}/${database}` },
    destroy: async () => {
      await onServer(`DROP DATABASE ${database}`);
      await onDisk.destroy();
    },
  };
}

/** On SQLite, whatever the engine of the specs is. */
export async function makeSqliteInstance(): Promise<Instance> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sealpush-test-'));
  const destroy = () => rm(dataDir, { recursive: true, force: true });
  return { dataDir, env: { DATA_DIR: dataDir }, destroy };
}

async function onServer(statement: string): Promise<void> {
  const connection = await createConnection(engine.url ?? '');
  await connection.query(statement);
  await connection.end();
}
