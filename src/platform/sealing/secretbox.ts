import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { secureRandom } from '../random/random.js';

/** All sealing is AES-256-GCM (NIST SP 800-38D), with keys, nonces and tags of these sizes. */
export const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** Sealed bytes could not be unsealed: wrong key, wrong context, or changed bytes. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/** During a change of master keys another process may have a newer key already; otherwise the row is damaged. */
export class MissingMasterKey extends UnsealError {}

export function newKey(): Buffer {
  return secureRandom(KEY_BYTES);
}

/**
 * Seals bytes with AES-256-GCM (NIST SP 800-38D) and a new random nonce.
 * @param context where the result will be stored, such as `push/ID/payload`; it can be unsealed only for the same context
 * @returns nonce, ciphertext and tag
 */
export function seal(key: KeyObject, content: Buffer | string, context: string): Buffer {
  const nonce = secureRandom(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(context),
  );
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** @throws UnsealError when the bytes were not sealed with this key for this context, or were changed */
export function unseal(key: KeyObject, sealed: Buffer, context: string): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new UnsealError(`${context} is cut short`);

  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const content = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    decipher.final(); // adds no bytes in this mode, but throws if they were changed
    return content;
  } catch {
    throw new UnsealError(`${context} cannot be unsealed`);
  }
}

/** What `read` returns; undefined when it cannot unseal what it reads. */
export function ifUnsealed<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}
