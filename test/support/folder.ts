import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** A new folder for temporary files. */
export interface Folder {
  path: string;
  /** Writes a file there, and returns its path. */
  file(content: string | Buffer, name?: string): string;
  destroy(): Promise<void>;
}

export async function makeFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'sealpush-test-'));
  return {
    path,
    file: (content, name = randomUUID()) => {
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    // processes that end may still be writing
    destroy: () => rm(path, { recursive: true, force: true, maxRetries: 10 }),
  };
}
