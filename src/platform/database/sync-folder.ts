import { open } from 'node:fs/promises';

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
