import { open } from 'node:fs/promises';

/** Makes the entries of a folder durable. Without it a new file can be lost in a power loss although its bytes are safe. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
