import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DiskFileStore } from '../../files/disk-file-store.js';
import type { Appending } from '../../files/file-store.js';
import { newDividedKey } from '../../files/file-store.js';
import { UnsealingStream } from '../../platform/sealing/chunk-streams.js';
import { CHUNK_BYTES, ChunkSeal, sealedSize } from '../../platform/sealing/chunk-seal.js';
import { newKey } from '../../platform/sealing/secretbox.js';
import { Append } from './append.js';
import { PartialUpload } from './upload.entity.js';

const partOf = ({ storedBytes: bytes, storeState: state }: PartialUpload) => ({ bytes, state });

describe('A file that arrives in parts', () => {
  let folder: string;
  let store: DiskFileStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealpush-append-'));
    store = new DiskFileStore(folder);
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const begin = (length: number) => {
    const upload = Object.assign(new PartialUpload(), {
      ...{ id: 'an-id', length, received: 0, storedBytes: 0, storageKey: newDividedKey(), storeState: null },
      ...{ tail: null, isAgeFile: false, epochs: [0], appends: 0, appender: null },
    } as PartialUpload);
    return { upload, key: newKey() };
  };

  type Begun = ReturnType<typeof begin>;

  const open = async ({ upload, key }: Begun) => {
    upload.epochs = upload.nextEpochs;
    upload.appender = 'somebody';
    return new Append(upload, key, upload.tail, await store.append(upload.storageKey, partOf(upload)));
  };

  /** Adds a part whose process is killed before or after it has saved it. */
  const add = async (begun: Begun, part: Buffer, isSaved = true) => {
    const append = await open(begun);
    await append.add(part);
    if (isSaved) Object.assign(begun.upload, (await append.save(true))?.progress, { appender: null });
    await append.close();
  };

  const read = async ({ upload: { id, storageKey, length, epochs }, key }: Begun) => {
    const sealed = await store.read(storageKey, { start: 0, end: sealedSize(length) - 1 });
    return buffer(
      sealed.pipe(new UnsealingStream(new ChunkSeal(key, id, epochs), length, { start: 0, end: length - 1 })),
    );
  };

  const stored = async () => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    return Promise.all(
      names.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
    );
  };

  it.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 300_000])(
    'has the content that was sent, in whatever parts, of which some were lost: %d bytes',
    async (length) => {
      for (const size of [1 + length, 50_000, CHUNK_BYTES, 100_001]) {
        const content = randomBytes(length);
        const begun = begin(length);
        do {
          const { received } = begun.upload;
          if (received > 0) await add(begun, randomBytes(Math.min(size, length - received)), false);
          await add(begun, content.subarray(received, received + size));
        } while (!begun.upload.isComplete);

        expect(begun.upload.received).toBe(length);
        expect((await read(begun)).equals(content)).toBe(true);
        await store.remove(begun.upload.storageKey);
      }
    },
  );

  it('never has two contents sealed alike', async () => {
    const [first, second] = [Buffer.alloc(CHUNK_BYTES, 'a'), Buffer.alloc(CHUNK_BYTES, 'b')];
    const begun = begin(2 * CHUNK_BYTES);
    await add(begun, first, false);
    const [lost = Buffer.alloc(0)] = await stored();
    await add(begun, second);
    const [kept = Buffer.alloc(0)] = await stored();

    const difference = lost.subarray(0, 64).map((byte, index) => byte ^ (kept[index] ?? 0));
    expect(new Set(difference).size).toBeGreaterThan(1); // one keystream would leave a ^ b everywhere
    await add(begun, second.subarray(0, 100));
    const tail = begun.upload.tail;
    await add(begun, Buffer.alloc(0));
    expect(begun.upload.tail?.equals(tail ?? Buffer.alloc(0))).toBe(false);
  });

  it('is stored with nothing that can be read', async () => {
    const words = 'correct horse battery staple ';
    const begun = begin(10 * CHUNK_BYTES);
    await add(begun, Buffer.from(words.repeat(4000)));

    for (const bytes of [...(await stored()), begun.upload.tail ?? Buffer.alloc(0)])
      expect(bytes.includes('horse')).toBe(false);
  });

  it('never has less than was confirmed when only a part of it can be stored', async () => {
    const begun = begin(10 * CHUNK_BYTES);
    await add(begun, randomBytes(CHUNK_BYTES + 100));
    const { received, tail } = begun.upload;
    const appending = new BufferedAppending(begun.upload.storedBytes);
    const append = new Append(begun.upload, begun.key, tail, appending);

    await append.add(randomBytes(2 * CHUNK_BYTES));
    expect(await append.save(false)).toBeUndefined();
    appending.store(1);
    const saved = await append.save(false);
    expect(saved?.progress).toMatchObject({ received: 2 * CHUNK_BYTES, tail: null });
    expect(saved?.progress.received).toBeGreaterThan(received);
    const { progress } = (await append.save(true)) ?? {};
    expect(progress?.received).toBe(3 * CHUNK_BYTES + 100);
    expect(progress?.tail).not.toBeNull();
  });
});

/** Keeps chunks in memory until they are stored, as on S3. */
class BufferedAppending implements Appending {
  private readonly chunks: Buffer[] = [];

  constructor(private bytes: number) {}

  write(bytes: Buffer): Promise<void> {
    this.chunks.push(bytes);
    return Promise.resolve();
  }

  store(count: number): void {
    for (const { length } of this.chunks.splice(0, count)) this.bytes += length;
  }

  save(isAll: boolean) {
    if (isAll) this.store(Infinity);
    return Promise.resolve({ bytes: this.bytes, state: null, unneeded: [] });
  }

  flush = () => Promise.resolve();
  close = () => Promise.resolve();
}
