import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { UnsealError } from './secretbox.js';
import type { ByteRange } from './chunk-streams.js';
import { runInTurn, sealedRange, SealingStream, UnsealingStream } from './chunk-streams.js';
import { ChunkSeal, sealedSize } from './chunk-seal.js';

const KEY = randomBytes(32);
const CHUNK = 65_536;

const aSeal = (id = 'one') => new ChunkSeal(KEY, id);

/** Splits bytes into pieces of `length` bytes, as a network would deliver them. */
function* pieces(bytes: Buffer, length: number): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

function seal(content: Buffer, piece = 10_000): Promise<Buffer> {
  const sealing = new SealingStream(aSeal());
  void pipeline(Readable.from(pieces(content, piece)), sealing);
  return buffer(sealing);
}

async function unseal(
  sealed: Buffer,
  size: number,
  range: ByteRange = { start: 0, end: size - 1 },
  { id = 'one', piece = 10_000 } = {},
): Promise<Buffer> {
  const { start, end } = sealedRange(range, sealedSize(size));
  const unsealing = new UnsealingStream(aSeal(id), size, range);
  const [content] = await Promise.all([
    buffer(unsealing),
    pipeline(Readable.from(pieces(sealed.subarray(start, end + 1), piece)), unsealing),
  ]);
  return content;
}

describe('Content sealed in chunks', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1, 300_000])(
    'unseals to the original content, in whatever pieces it arrives: %d bytes',
    async (size) => {
      const content = randomBytes(size);
      for (const piece of [7777, CHUNK, CHUNK + 16, 1_000_000]) {
        const sealed = await seal(content, piece);

        expect(sealed).toHaveLength(sealedSize(size));
        expect((await unseal(sealed, size, undefined, { piece })).equals(content)).toBe(true);
      }
    },
  );

  it('unseals when it arrives one byte at a time', async () => {
    const content = randomBytes(1000);

    expect((await unseal(await seal(content, 1), 1000, undefined, { piece: 1 })).equals(content)).toBe(true);
  });

  it('contains nothing of the original content', async () => {
    const sealed = await seal(Buffer.alloc(200_000, 'tulip'));

    expect(sealed.includes('tulip')).toBe(false);
    expect(sealed.subarray(0, 65_536).equals(sealed.subarray(65_552, 131_088))).toBe(false);
  });

  it('cannot be unsealed under another id', async () => {
    const sealed = await seal(randomBytes(100));

    await expect(unseal(sealed, 100, undefined, { id: 'two' })).rejects.toThrow(UnsealError);
  });

  it.each([1, 16, 17, CHUNK, CHUNK + 16, 2 * CHUNK])(
    'cannot be unsealed when %d bytes are missing',
    async (missing) => {
      const size = 3 * CHUNK;
      const sealed = await seal(randomBytes(size));

      await expect(unseal(sealed.subarray(0, -missing), size)).rejects.toThrow(UnsealError);
    },
  );

  it('cannot be unsealed with a wrong size', async () => {
    const sealed = await seal(randomBytes(100_000));

    for (const size of [0, 1, 34_464, CHUNK, 99_999, 100_001, 2 * CHUNK, 200_000]) {
      await expect(unseal(sealed, size)).rejects.toThrow(UnsealError);
    }
  });

  it('cannot be unsealed when it was empty and its end mark is missing', async () => {
    await expect(unseal(Buffer.alloc(0), 0)).rejects.toThrow(UnsealError);
  });
});

describe('Steps of heavy work', () => {
  it('run in the order in which they were queued, one per iteration of the event loop', async () => {
    const done: string[] = [];
    for (const name of ['one', 'two', 'three']) runInTurn(() => done.push(name));

    expect(done).toEqual([]);
    for (const after of [['one'], ['one', 'two'], ['one', 'two', 'three']]) {
      await setImmediate();
      expect(done).toEqual(after);
    }
  });

  it('run after those already waiting when they are queued by a step', async () => {
    const done: string[] = [];
    runInTurn(() => {
      done.push('first');
      runInTurn(() => done.push('its next'));
    });
    runInTurn(() => done.push('second'));

    for (let rounds = 0; rounds < 3; rounds++) await setImmediate();
    expect(done).toEqual(['first', 'second', 'its next']);
  });
});
