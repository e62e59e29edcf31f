import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { cleanFileName } from '../../../../src/shared/file-name.js';
import type { OpenedFile } from '../opened-push.js';

const MAX_COPIES = 1000;
/** Of a name and of an extension: what common file systems take, and what is worth keeping whole. */
const MAX_NAME_BYTES = 255;
const MAX_EXTENSION_BYTES = 64;
const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Saves a file under its own name, or one with a number if there is such a file: nothing is overwritten. It has its name
 * once it is complete; what was written before is removed when it fails, or when a signal ends the process.
 */
export async function saveAs(
  file: OpenedFile,
  folder: string,
  onProgress: (bytes: number) => void,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = cleanFileName(file.name);
  const partial = join(folder, `.sealpush-${randomUUID()}.part`);
  const output = await open(partial, 'wx', 0o600);
  const stopRemoving = removeOnSignal(partial);
  try {
    let written = 0;
    for await (const bytes of await file.stream()) {
      await output.writeFile(bytes);
      onProgress((written += bytes.length));
    }
    await output.sync();
    return await named(partial, folder, name);
  } finally {
    await output.close();
    await rm(partial, { force: true });
    stopRemoving();
  }
}

/**
 * Removes a file when a signal ends the process, which it still does.
 * @returns a function that ends this
 */
function removeOnSignal(path: string): () => void {
  const remove = (signal: NodeJS.Signals) => {
    rmSync(path, { force: true });
    stop();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, remove);
  };
  for (const signal of SIGNALS) process.on(signal, remove);
  return stop;
}

async function named(partial: string, folder: string, name: string): Promise<string> {
  for (let copy = 1; copy <= MAX_COPIES; copy++) {
    const path = join(folder, nameOfCopy(name, copy));
    try {
      await link(partial, path);
      return path;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`There are too many files named ${name}.`);
}

/** With a number from the second one on, and shortened before its extension if it has too many bytes. */
function nameOfCopy(name: string, copy: number): string {
  const { ext } = parse(name);
  const extension = Buffer.byteLength(ext) <= MAX_EXTENSION_BYTES ? ext : '';
  const end = (copy === 1 ? '' : ` (${copy})`) + extension;
  const stem = Array.from(name.slice(0, name.length - extension.length));
  while (Buffer.byteLength(stem.join('') + end) > MAX_NAME_BYTES) stem.pop();
  return stem.join('') + end;
}
