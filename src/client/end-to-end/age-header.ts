import { Decrypter } from 'age-encryption';
import { EndToEndError } from './end-to-end-error.js';
import type { Bytes } from './key.js';

/** Maximum length of the header of an age file with a passphrase, in bytes. */
export const HEADER_BYTES = 150;

/** Maximum work factor: 2 ** 20 takes some six seconds and a gigabyte. */
const MAX_WORK_FACTOR = 20;

/** A header with one stanza, which is of type scrypt. */
const HEADER =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9]\d{0,9})\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/;

const NO_MATCH = "no identity matched any of the file's recipients";

/**
 * The header of an age file, of which at least the first `HEADER_BYTES` are given if it has them.
 * @throws EndToEndError if it is not a file with one passphrase, or it would take too long to try it
 */
export function headerOf(start: Uint8Array): Bytes {
  const text = new TextDecoder('latin1').decode(start.subarray(0, 2 * HEADER_BYTES));
  const [header, workFactor] = HEADER.exec(text) ?? [];
  if (header === undefined) throw new EndToEndError('damaged');
  if (Number(workFactor) > MAX_WORK_FACTOR) throw new EndToEndError('unsupported');
  return new Uint8Array(start.subarray(0, header.length));
}

/**
 * The key by which the rest of an age file is encrypted.
 * @throws EndToEndError
 */
export async function fileKeyOf(header: Bytes, secret: string): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(secret);
  try {
    return await decrypter.decryptHeader(header);
  } catch (error) {
    throw new EndToEndError((error as Error).message === NO_MATCH ? 'wrong-secret' : 'damaged');
  }
}

/** Decrypts a file whose key is known. */
export function decrypterWith(fileKey: Uint8Array): Decrypter {
  const decrypter = new Decrypter();
  decrypter.addIdentity({ unwrapFileKey: () => fileKey });
  return decrypter;
}
