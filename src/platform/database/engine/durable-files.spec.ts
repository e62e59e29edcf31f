import { randomUUID } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KIB, MIB } from '../../settings/units.js';
import { writeDurably } from './durable-files.js';

describe('A file that is written durably', () => {
  const path = join(tmpdir(), randomUUID());

  afterEach(() => rm(path, { force: true }));

  it('is flushed as it is written, so that no commit on the same disk waits for all of it', async () => {
    const file = await open(path, 'wx');
    const flushes = jest.spyOn(file, 'datasync');
    const ends = jest.spyOn(file, 'sync');
    await writeDurably(parts(40 * MIB), file);

    expect((await readFile(path)).equals(Buffer.alloc(40 * MIB, 'a'))).toBe(true);
    expect(flushes).toHaveBeenCalledTimes(5);
    expect(ends).toHaveBeenCalledTimes(1);
  });

  it('is closed when its content ends in an error', async () => {
    const file = await open(path, 'wx');

    await expect(writeDurably(failing(), file)).rejects.toThrow('no more');
    expect(file.fd).toBe(-1);
  });
});

async function* parts(bytes: number): AsyncGenerator<string> {
  for (let left = bytes; left > 0; left -= 64 * KIB) yield await Promise.resolve('a'.repeat(64 * KIB));
}

async function* failing(): AsyncGenerator<string> {
  yield await Promise.resolve('a');
  throw new Error('no more');
}
