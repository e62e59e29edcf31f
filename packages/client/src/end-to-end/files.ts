import { Encrypter } from 'age-encryption';
import { decrypterWith, HEADER_BYTES, headerOf } from './age-header.js';
import { EndToEndError, reasonOf } from './end-to-end-error.js';
import type { EnvelopeFile } from './envelope.js';
import type { Bytes } from './key.js';

/** Low, because the key is random and used for one file. */
const WORK_FACTOR = 10;

type Source = ReadableStream<Uint8Array>;
type Unwrap = (header: Bytes, secret: string) => Promise<Uint8Array>;

/** Encrypts a file with a key of its own while it is read. */
export async function encryptFile(content: Source, key: string): Promise<Source> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(key);
  encrypter.setScryptWorkFactor(WORK_FACTOR);
  return encrypter.encrypt(content);
}

/**
 * Decrypts a file while it is read. The stream fails with an EndToEndError unless the file is exactly as it was
 * encrypted, which is known only at its end: until then nothing of it may be used.
 */
export async function decryptFileWith(
  encrypted: Source,
  { key, size }: Pick<EnvelopeFile, 'key' | 'size'>,
  unwrap: Unwrap,
): Promise<Source> {
  const reader = encrypted.getReader();
  try {
    const start = await readStart(reader);
    const fileKey = await unwrap(headerOf(start), key);
    const content = await decrypterWith(fileKey).decrypt(rest(start, reader));
    return ofSize(content, size);
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    throw known(error, 'damaged');
  }
}

async function readStart(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  let start = new Uint8Array();
  while (start.length < HEADER_BYTES) {
    const value = await readNext(reader);
    if (!value) break;
    const longer = new Uint8Array(start.length + value.length);
    longer.set(start);
    longer.set(value, start.length);
    start = longer;
  }
  return start;
}

/** The whole file: the start that was read already, and what follows. */
function rest(start: Uint8Array, reader: ReadableStreamDefaultReader<Uint8Array>): Source {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(start);
    },
    async pull(controller) {
      const value = await readNext(reader);
      if (value) controller.enqueue(value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function ofSize(content: Source, size: number): Source {
  const reader = content.getReader();
  let remaining = size;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await reader.read().catch((error: unknown) => {
          throw known(error, 'damaged');
        });
        remaining -= value?.length ?? 0;
        if (remaining < 0 || (!value && remaining > 0)) {
          void reader.cancel();
          throw new EndToEndError('damaged');
        }
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The next part; undefined at the end. */
async function readNext(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value;
  } catch (error) {
    throw known(error, 'interrupted');
  }
}

function known(error: unknown, reason: 'damaged' | 'interrupted'): unknown {
  return reasonOf(error) === undefined ? new EndToEndError(reason) : error;
}
