import { hash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SEALED_CHUNK_BYTES } from '../platform/sealing/chunk-seal.js';
import { MIB } from '../platform/settings/units.js';
import type { StoredPart } from './file-store.js';
import { newDividedKey } from './file-store.js';
import type { S3Objects } from './s3-appending.js';
import { discardParts, joinParts, S3Appending } from './s3-appending.js';

type Input = Record<string, unknown> & { Key: string; UploadId: string; Body: Buffer | Readable };

/** As much of S3 as appending uses, in memory. */
class MemoryS3 implements Pick<S3Objects, 'object' | 'read' | 'remove'> {
  readonly stored = new Map<string, Buffer>();
  readonly uploads = new Map<string, Map<number, Buffer>>();
  readonly maxWaitMs = 1000;
  /** How long each body could take. */
  readonly timeouts: number[] = [];

  get objects(): S3Objects {
    const send = (command: object, options?: { requestTimeout: number }) => {
      if (options) this.timeouts.push(options.requestTimeout);
      return this.send(command);
    };
    return Object.assign(this, { client: { send } }) as unknown as S3Objects;
  }

  readonly object = (Key: string) => ({ Bucket: 'bucket', Key });

  readonly read = (key: string, { start, end }: { start: number; end: number }) =>
    Promise.resolve(Readable.from([this.stored.get(key)?.subarray(start, end + 1)]));

  readonly remove = (key: string) => {
    this.stored.delete(key);
    return Promise.resolve();
  };

  private async send(command: object): Promise<object> {
    const { Key, UploadId, Body, ContentLength, PartNumber } = (command as { input: Input }).input;
    const parts = this.uploads.get(UploadId);
    switch (command.constructor.name) {
      case 'PutObjectCommand':
        this.stored.set(Key, await this.body(Body, ContentLength));
        return {};
      case 'CreateMultipartUploadCommand':
        this.uploads.set(`of ${Key}`, new Map());
        return { UploadId: `of ${Key}` };
      case 'HeadObjectCommand':
        return { ContentLength: this.stored.get(Key)?.length };
    }
    if (!parts) throw Object.assign(new Error('There is no such upload'), { name: 'NoSuchUpload' });
    switch (command.constructor.name) {
      case 'UploadPartCommand':
        parts.set(PartNumber as number, await this.body(Body, ContentLength));
        return { ETag: etagOf(parts.get(PartNumber as number)) };
      case 'ListPartsCommand':
        return {
          Parts: [...parts]
            .sort(([a], [b]) => a - b)
            .map(([number, bytes]) => ({ PartNumber: number, ETag: etagOf(bytes) })),
        };
      case 'CompleteMultipartUploadCommand':
        this.stored.set(Key, Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)));
        this.uploads.delete(UploadId);
        return {};
      case 'AbortMultipartUploadCommand':
        this.uploads.delete(UploadId);
        return {};
      default:
        throw new Error(`unexpected ${command.constructor.name}`);
    }
  }

  private async body(body: Buffer | Readable, length: unknown): Promise<Buffer> {
    const bytes = Buffer.isBuffer(body) ? Buffer.from(body) : await buffer(body);
    if (bytes.length !== length) throw new Error(`${bytes.length} bytes, not ${String(length)}`);
    return bytes;
  }
}

function etagOf(bytes: Buffer | undefined): string {
  return `"${hash('md5', bytes ?? '')}"`;
}

describe('A file that arrives in parts on S3', () => {
  const key = newDividedKey();

  /** Appends a content whose process is replaced after each of these numbers of bytes. */
  async function append(s3: MemoryS3, content: Buffer, stops: number[], maxParts?: number) {
    let saved = { bytes: 0, state: null as string | null };
    for (const stop of [...stops, content.length]) {
      const appending = new S3Appending(s3.objects, key, saved, content.length, maxParts);
      await write(appending, content.subarray(saved.bytes, stop));
      const { unneeded, ...part } = await appending.save(true);
      for (const piece of unneeded) await s3.remove(piece);
      await appending.close();
      expect(part.bytes).toBe(stop);
      saved = part;
    }
    return saved.state;
  }

  async function write(appending: S3Appending, bytes: Buffer) {
    for (let at = 0; at < bytes.length; at += SEALED_CHUNK_BYTES)
      await appending.write(bytes.subarray(at, at + SEALED_CHUNK_BYTES));
  }

  const chunks = (count: number) => count * SEALED_CHUNK_BYTES;

  it.each([
    ['one byte', 1, []],
    ['less than a part', 5 * MIB, [chunks(3)]],
    ['exactly two parts', chunks(2 * 128), [chunks(1), chunks(200)]],
    ['many small ones', 20 * MIB, Array.from({ length: 300 }, (_, i) => chunks(i + 1))],
    ['parts of another size', 50 * MIB, [chunks(100), chunks(100), chunks(300), chunks(500), chunks(511)]],
  ])('has the bytes that were sent, and nothing else is left: %s', async (_what, length, stops) => {
    const s3 = new MemoryS3();
    const content = randomBytes(length);
    const state = await append(s3, content, stops);
    if (state !== null) await joinParts(s3.objects, key, state, length);

    expect([...s3.stored.keys()]).toEqual([key]);
    expect(s3.stored.get(key)?.equals(content)).toBe(true);
    expect(s3.uploads.size).toBe(0);
  });

  it('of more parts than one upload may have has larger ones, made of what fits into memory', async () => {
    const s3 = new MemoryS3();
    const content = randomBytes(50 * MIB);
    const state = await append(s3, content, [chunks(100), chunks(300)], 3);

    const [parts = new Map<number, Buffer>()] = s3.uploads.values();
    expect([...parts.values()].map(({ length }) => length)).toEqual([
      chunks(3 * 128),
      chunks(3 * 128),
      content.length - chunks(6 * 128),
    ]);
    await joinParts(s3.objects, key, state ?? '', content.length);
    expect([...s3.stored.keys()]).toEqual([key]);
    expect(s3.stored.get(key)?.equals(content)).toBe(true);
  });

  it('has what was saved when later bytes are lost, and others are sent', async () => {
    const s3 = new MemoryS3();
    const content = randomBytes(30 * MIB);
    const first = new S3Appending(s3.objects, key, { bytes: 0, state: null }, content.length);
    await write(first, content.subarray(0, chunks(130)));
    const saved = await first.save(true);
    await write(first, randomBytes(chunks(200)));

    const second = new S3Appending(s3.objects, key, saved, content.length);
    await write(second, content.subarray(saved.bytes));
    const { state, bytes, unneeded } = await second.save(true);
    for (const piece of unneeded) await s3.remove(piece);
    await joinParts(s3.objects, key, state ?? '', bytes);

    expect(s3.stored.get(key)?.equals(content)).toBe(true);
  });

  it('may be joined again, but not with parts that are missing', async () => {
    const s3 = new MemoryS3();
    const content = randomBytes(20 * MIB);
    const state = (await append(s3, content, [])) ?? '';
    const { uploads } = s3;
    const [[id, parts] = ['', new Map<number, Buffer>()]] = uploads;
    const [[number, bytes] = [0, Buffer.alloc(0)]] = parts;
    parts.delete(number);
    await expect(joinParts(s3.objects, key, state, content.length)).rejects.toThrow();

    uploads.set(id, parts.set(number, bytes));
    await joinParts(s3.objects, key, state, content.length);
    await joinParts(s3.objects, key, state, content.length);
    await expect(joinParts(s3.objects, key, state, content.length + 1)).rejects.toThrow();
  });

  it('is not joined when a part was replaced after it had been confirmed', async () => {
    const s3 = new MemoryS3();
    const content = randomBytes(20 * MIB);
    const state = (await append(s3, content, [])) ?? '';
    const [parts = new Map<number, Buffer>()] = s3.uploads.values();
    parts.set(1, randomBytes(parts.get(1)?.length ?? 0));

    await expect(joinParts(s3.objects, key, state, content.length)).rejects.toMatchObject({
      cause: { message: 'The parts in the store are not those that were confirmed.' },
    });
  });

  it('leaves nothing of what was not saved, and all that was', async () => {
    const s3 = new MemoryS3();
    const content = randomBytes(30 * MIB);
    const begin = (saved: StoredPart) => new S3Appending(s3.objects, key, saved, content.length);
    const lost = begin({ bytes: 0, state: null });
    await write(lost, content.subarray(0, chunks(150)));
    await lost.flush();
    expect([s3.uploads.size, s3.stored.size]).toEqual([1, 1]);
    await lost.close();
    expect([s3.uploads.size, s3.stored.size]).toEqual([0, 0]);

    const first = begin({ bytes: 0, state: null });
    await write(first, content.subarray(0, chunks(150)));
    const saved = await first.save(true);
    await write(first, randomBytes(chunks(100)));
    await first.flush();
    await first.close();
    expect([s3.uploads.size, s3.stored.size]).toEqual([1, 1]);
    const second = begin(saved);
    await write(second, content.subarray(saved.bytes));
    const { state, bytes, unneeded } = await second.save(true);
    for (const piece of unneeded) await s3.remove(piece);
    await second.close();
    await joinParts(s3.objects, key, state ?? '', bytes);
    expect([...s3.stored.keys()]).toEqual([key]);
    expect(s3.stored.get(key)?.equals(content)).toBe(true);
  });

  it('of large parts is made of few pieces, and takes time by its length', async () => {
    const s3 = new MemoryS3();
    const content = randomBytes(chunks(1000));
    let saved: StoredPart = { bytes: 0, state: null };
    for (let stop = 1; stop <= 900; stop += 3) {
      const appending = new S3Appending(s3.objects, key, saved, content.length, 1);
      await write(appending, content.subarray(saved.bytes, chunks(stop)));
      const { unneeded, ...part } = await appending.save(true);
      for (const piece of unneeded) await s3.remove(piece);
      saved = part;
      expect(s3.stored.size).toBeLessThanOrEqual(32 + 8);
    }
    const last = new S3Appending(s3.objects, key, saved, content.length, 1);
    await write(last, content.subarray(saved.bytes));
    const { unneeded } = await last.save(true);
    for (const piece of unneeded) await s3.remove(piece);

    expect([...s3.stored.keys()]).toEqual([key]);
    expect(s3.stored.get(key)?.equals(content)).toBe(true);
    expect(s3.timeouts.at(-1)).toBeCloseTo(1000 * (1000 / 128));
    expect(s3.timeouts[0]).toBe(1000);
  });

  it('is discarded with all of its parts and pieces', async () => {
    const s3 = new MemoryS3();
    const appending = new S3Appending(s3.objects, key, { bytes: 0, state: null }, 30 * MIB);
    await write(appending, randomBytes(chunks(150)));
    const { state } = await appending.save(true);
    expect([s3.uploads.size, s3.stored.size]).toEqual([1, 1]);

    await discardParts(s3.objects, key, state);
    await discardParts(s3.objects, key, state);
    expect([s3.uploads.size, s3.stored.size]).toEqual([0, 0]);
  });
});
