import { link, mkdir, open, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { cleanFileName } from '../../../../src/shared/file-name.js';
import type { OpenedFile } from '../opened-push.js';

const MAX_COPIES = 1000;

/**
 * Saves a file under its own name, or one with a number if there is such a file: nothing is overwritten. It has its name
 * once it is complete; what was written before is removed when it fails.
 */
export async function saveAs(
  file: OpenedFile,
  folder: string,
  onProgress: (bytes: number) => void,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = cleanFileName(file.name);
  const partial = join(folder, `.${name.slice(0, 100)}.${process.pid}.part`);
  const output = await open(partial, 'wx', 0o600);
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
  }
}

async function named(partial: string, folder: string, name: string): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let copy = 1; copy <= MAX_COPIES; copy++) {
    const path = join(folder, copy === 1 ? name : `${stem} (${copy})${ext}`);
    try {
      await link(partial, path);
      return path;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`There are too many files named ${name}.`);
}
