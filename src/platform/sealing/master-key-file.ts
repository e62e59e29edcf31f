import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDataFolder } from '../database/engine/data-folder.js';
import { syncFolder } from '../database/engine/durable-files.js';
import { masterKeys } from '../settings/parsers.js';
import type { Settings } from '../settings/settings.js';
import { StartError } from '../settings/start-error.js';

/** The file of the key that is generated at the first start. */
export function masterKeyPath({ DATA_DIR }: Settings): string {
  return join(DATA_DIR, 'master.key');
}

/** The keys in the file, or none when there is no such file. */
export async function readMasterKeyFile(path: string): Promise<Buffer[] | undefined> {
  try {
    return masterKeys(await readFile(path, 'utf8')) as Buffer[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`The master key in ${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** Creates the file with a new key. If several processes do so concurrently, all of them use the key of one. */
export async function makeMasterKeyFile(path: string): Promise<Buffer[]> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await makeDataFolder(dirname(path));
  try {
    await writeDurably(draft, `${randomBytes(32).toString('base64')}\n`);
    await link(draft, path).catch(ignoreExisting);
    await rm(draft);
    await syncFolder(dirname(path));
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartError(`The master key cannot be written to ${path} (${code}).`);
  }
  return (await readMasterKeyFile(path)) ?? [];
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
