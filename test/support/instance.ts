import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, dropDatabase } from './databases.js';
import { engine } from './engine.js';
import { giveBackDatabase, migratedFile, takeDatabase } from './migrated-databases.js';

/** An empty data folder and a database without data, for one or several servers. */
export interface Instance {
  dataDir: string;
  /** The environment variables that make a server use this instance. */
  env: Record<string, string>;
  destroy(): Promise<void>;
}

/** With all migrations, so that the first server starts as fast as later ones. */
export async function makeInstance(): Promise<Instance> {
  if (engine.url !== undefined) return onServer(await takeDatabase(), giveBackDatabase);

  const instance = await makeSqliteInstance();
  await writeFile(join(instance.dataDir, 'sealpush.sqlite3'), await migratedFile(), { mode: 0o600 });
  return instance;
}

/** Without any table, as before the first start. */
export async function makeNewInstance(): Promise<Instance> {
  return engine.url === undefined ? makeSqliteInstance() : onServer(await createDatabase(), dropDatabase);
}

/** The same on another server than that of the engine. */
export async function makeNewInstanceOn(server: string): Promise<Instance> {
  return onServer(await createDatabase(server), dropDatabase);
}

/** On SQLite, whatever the engine of the specs is, and without any table. */
export async function makeSqliteInstance(): Promise<Instance> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sealpush-test-'));
  const destroy = () => rm(dataDir, { recursive: true, force: true });
  return { dataDir, env: { DATA_DIR: dataDir }, destroy };
}

/** With its data folder not in memory, which may have the temporary files. */
export async function makeInstanceOnDisk(): Promise<Instance> {
  const made = await makeInstance();
  const dataDir = await mkdtemp('/var/tmp/sealpush-test-');
  return {
    dataDir,
    env: { ...made.env, DATA_DIR: dataDir },
    destroy: async () => void (await Promise.all([made.destroy(), rm(dataDir, { recursive: true })])),
  };
}

async function onServer(url: string, release: (url: string) => unknown): Promise<Instance> {
  const onDisk = await makeSqliteInstance();
  return {
    dataDir: onDisk.dataDir,
    env: { ...onDisk.env, DATABASE_URL: url },
    destroy: async () => {
      await release(url);
      await onDisk.destroy();
    },
  };
}
