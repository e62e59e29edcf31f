import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { MIB } from '../../settings/units.js';

/**
 * How many bytes are written before they are flushed to the disk. With more, the next commit of a database on the same
 * disk would wait for all of them: 260 ms for the audit log of a million pushes.
 */
const FLUSHED_AT_ONCE = 8 * MIB;

/** Writes a file and closes it; then its content is durable. */
export async function writeDurably(parts: AsyncIterable<string | Buffer>, file: FileHandle): Promise<void> {
  try {
    let notFlushed = 0;
    for await (const part of parts) {
      await file.appendFile(part);
      notFlushed += part.length;
      if (notFlushed < FLUSHED_AT_ONCE) continue;
      await file.datasync();
      notFlushed = 0;
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Makes the entries of a folder durable. Otherwise a power loss can lose a new file whose content was already synced.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
