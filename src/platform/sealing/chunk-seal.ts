import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync } from 'node:crypto';
import { UnsealError, CIPHER, KEY_BYTES, NONCE_BYTES, TAG_BYTES } from './secretbox.js';

/** How many bytes of a file are sealed at a time. */
export const CHUNK_BYTES = 64 * 1024;
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

/** How many chunks content of `size` bytes has: at least one, because the end of empty content is marked too. */
export function chunkCount(size: number): number {
  return Math.max(1, Math.ceil(size / CHUNK_BYTES));
}

/** How many bytes the sealed content has. */
export function sealedSize(size: number): number {
  return size + chunkCount(size) * TAG_BYTES;
}

/**
 * The first chunk of each epoch of a content, in ascending order. Another epoch begins where sealing goes on after chunks
 * were sealed that were lost: they may be sealed again, with other bytes.
 */
export type Epochs = readonly number[];

const ONE_EPOCH: Epochs = [0];

/**
 * Seals and unseals long content in chunks. Each is authenticated with its number and whether it is the last, so
 * content that was truncated, reordered or mixed with other content cannot be unsealed. Each content has its own key,
 * and the nonce is the chunk's epoch and number and that mark, so no nonce is used twice.
 */
export class ChunkSeal {
  private readonly key: KeyObject;

  /** @param contentId unique among the contents sealed with `dataKey` */
  constructor(
    dataKey: Buffer,
    contentId: string,
    private readonly epochs: Epochs = ONE_EPOCH,
  ) {
    this.key = derivedKey(dataKey, contentId, 'sealpush file key');
  }

  /** Returns the sealed chunk in two pieces, which avoids copying it. */
  seal(chunk: Buffer, index: number, isLast: boolean): [content: Buffer, tag: Buffer] {
    const cipher = createCipheriv(CIPHER, this.key, this.nonce(index, isLast), { authTagLength: TAG_BYTES });
    const content = cipher.update(chunk);
    cipher.final(); // adds no bytes in this mode
    return [content, cipher.getAuthTag()];
  }

  /** @throws UnsealError */
  unseal(sealed: Buffer, index: number, isLast: boolean): Buffer {
    if (sealed.length < TAG_BYTES) throw new UnsealError(`chunk ${index} is cut short`);
    const decipher = createDecipheriv(CIPHER, this.key, this.nonce(index, isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const content = decipher.update(sealed.subarray(0, -TAG_BYTES));
      decipher.final(); // adds no bytes either, but throws if the chunk was changed
      return content;
    } catch {
      throw new UnsealError(`chunk ${index} cannot be unsealed`);
    }
  }

  private nonce(index: number, isLast: boolean): Buffer {
    const bytes = Buffer.alloc(NONCE_BYTES);
    bytes.writeUInt32BE(this.epochs.findLastIndex((first) => first <= index));
    bytes.writeUInt32BE(index, 4);
    bytes.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
    return bytes;
  }
}

/**
 * A key for what is kept of a content beside its chunks, such as the bytes that do not fill one yet. They are sealed anew
 * each time that they change, so with `secretbox`, whose nonces are random.
 */
export function remainderKey(dataKey: Buffer, contentId: string): KeyObject {
  return derivedKey(dataKey, contentId, 'sealpush remainder key');
}

function derivedKey(dataKey: Buffer, contentId: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, contentId, purpose, KEY_BYTES)));
}
