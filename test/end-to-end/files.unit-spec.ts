import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fileKeyOf } from '../../packages/client/src/end-to-end/age-header.js';
import { reasonOf } from '../../packages/client/src/end-to-end/end-to-end-error.js';
import { decryptFileWith, encryptFile } from '../../packages/client/src/end-to-end/files.js';
import { newKey } from '../../packages/client/src/end-to-end/key.js';
import { encryptedFileSize } from '../../src/shared/age-size.js';
import { streamOf } from './streams.js';
import { KIB } from '../../src/platform/settings/units.js';

const CHUNK = 64 * KIB;
const ENCRYPTED_CHUNK = CHUNK + 16;
const START = 150 + 16; // the header and the nonce

const encrypt = async (content: Uint8Array, key: string) => buffer(await encryptFile(streamOf(content), key));

const decrypt = async (encrypted: ReadableStream<Uint8Array>, key: string, size: number) =>
  buffer(await decryptFileWith(encrypted, { key, size }, fileKeyOf));

async function reasonFor(encrypted: ReadableStream<Uint8Array>, key: string, size: number): Promise<unknown> {
  try {
    return await decrypt(encrypted, key, size);
  } catch (error) {
    return reasonOf(error) ?? error;
  }
}

describe('An encrypted file', () => {
  const key = newKey();
  const content = randomBytes(3 * CHUNK);
  let encrypted: Buffer;

  beforeAll(async () => (encrypted = await encrypt(content, key)));

  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])(
    'of %d bytes is as long as predicted, and comes back',
    async (size) => {
      const plain = content.subarray(0, size);
      const file = await encrypt(plain, key);

      expect(file).toHaveLength(encryptedFileSize(size));
      expect((await decrypt(streamOf(file), key, size)).equals(plain)).toBe(true);
    },
  );

  it.each([
    ['single bytes of the header', [1, 2, 3, 148, 149, 150, 151, START, START + 1]],
    ['chunks', [START, START + ENCRYPTED_CHUNK, START + 2 * ENCRYPTED_CHUNK]],
    ['other pieces', [100_000, 100_001, 190_000]],
  ])('is decrypted from a stream of %s', async (_name, ends) => {
    expect((await decrypt(streamOf(encrypted, ...ends), key, content.length)).equals(content)).toBe(true);
  });

  it('is damaged when it was cut anywhere, also between chunks, or extended', async () => {
    const borders = [0, 1, 2, 3].map((chunks) => START + chunks * ENCRYPTED_CHUNK);
    const lengths = borders.flatMap((border) => [border - 1, border, border + 1, border + 16]);
    for (const length of [0, 1, 149, 150, 151, 160, ...lengths].filter((at) => at < encrypted.length))
      expect([length, await reasonFor(streamOf(encrypted.subarray(0, length)), key, content.length)]).toEqual(
        [length, 'damaged'],
      );
    for (const added of [Buffer.alloc(1), Buffer.alloc(ENCRYPTED_CHUNK), encrypted])
      expect(await reasonFor(streamOf(Buffer.concat([encrypted, added])), key, content.length)).toBe(
        'damaged',
      );
  });

  it('is damaged when it was cut although the size is that of what is left', async () => {
    const cut = encrypted.subarray(0, START + ENCRYPTED_CHUNK);

    expect(await reasonFor(streamOf(cut), key, CHUNK)).toBe('damaged');
  });

  it('is damaged when a byte was altered, or two chunks were swapped', async () => {
    const last = encrypted.length - 1;
    for (const place of [149, 151, START, START + CHUNK, START + ENCRYPTED_CHUNK + 5, last]) {
      const altered = Buffer.from(encrypted);
      altered[place] = (altered[place] ?? 0) ^ 1;

      expect([place, await reasonFor(streamOf(altered), key, content.length)]).toEqual([place, 'damaged']);
    }
    const [first, second] = [START, START + ENCRYPTED_CHUNK];
    const swapped = Buffer.concat([
      encrypted.subarray(0, first),
      encrypted.subarray(second, second + ENCRYPTED_CHUNK),
      encrypted.subarray(first, second),
      encrypted.subarray(second + ENCRYPTED_CHUNK),
    ]);
    expect(await reasonFor(streamOf(swapped), key, content.length)).toBe('damaged');
  });

  it('is not decrypted in place of another', async () => {
    const otherKey = newKey();
    const other = await encrypt(content, otherKey);

    expect(await reasonFor(streamOf(other), key, content.length)).toBe('wrong-secret');
    expect(await reasonFor(streamOf(encrypted), otherKey, content.length)).toBe('wrong-secret');
  });

  it.each([0, 1, 3 * CHUNK - 1, 3 * CHUNK + 1])('that was said to have %d bytes is damaged', async (size) => {
    expect(await reasonFor(streamOf(encrypted), key, size)).toBe('damaged');
  });

  it('with a work factor that takes long is rejected before anything is computed', async () => {
    const costly = Buffer.from(encrypted.toString('latin1').replace(' 10\n', ' 21\n'), 'latin1');

    expect(await reasonFor(streamOf(costly), key, content.length)).toBe('unsupported');
  });

  it.each([0, 100, START + 10, START + ENCRYPTED_CHUNK])(
    'is interrupted when its stream fails after %d bytes',
    async (at) => {
      let sent = false;
      const failing = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent || at === 0) controller.error(new TypeError('network error'));
          else controller.enqueue(encrypted.subarray(0, at));
          sent = true;
        },
      });

      expect(await reasonFor(failing, key, content.length)).toBe('interrupted');
    },
  );

  it('is encrypted and decrypted in little memory: no more is read than is wanted', async () => {
    let read = 0;
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => (cancel = resolve));
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          read += CHUNK;
          controller.enqueue(new Uint8Array(CHUNK));
        },
        cancel,
      });
    const decrypted = await decryptFileWith(
      await encryptFile(endless(), key),
      { key, size: 2 ** 50 },
      fileKeyOf,
    );

    const reader = decrypted.getReader();
    for (let i = 0; i < 20; i++) await reader.read();
    expect(read).toBeLessThan(40 * CHUNK);

    await reader.cancel();
    await cancelled;
  });
});
