import { Decrypter } from 'age-encryption';
import { EndToEndError } from './end-to-end-error.js';
import type { Bytes } from './key.js';

/** Maximum length of the header of an age file with a passphrase, in bytes. */
export const HEADER_BYTES = 150;

/** Maximum length of the header of an age file with recipients, in bytes: that of `MAX_STANZAS` is shorter. */
const RECIPIENTS_HEADER_BYTES = 8192;

/** More than the one that is needed, because some programs add a stanza that means nothing. Each is tried. */
const MAX_STANZAS = 4;

/** Maximum work factor: 2 ** 20 takes some six seconds and a gigabyte. */
const MAX_WORK_FACTOR = 20;

/** A header with one stanza, which is of type scrypt. */
const HEADER =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9]\d{0,9})\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/;

/** A header with stanzas of any types. */
const HEADER_OF_ANY =
  /^age-encryption\.org\/v1\n(?:-> [!-~]+(?: [!-~]+)*\n(?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{0,63}\n)+--- [A-Za-z0-9+/]{43}\n/;

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
 * The header of an age file that is encrypted to recipients.
 * @throws EndToEndError if it is not such a file, or it has a passphrase or more stanzas than are tried
 */
export function recipientsHeaderOf(file: Uint8Array): Bytes {
  const text = new TextDecoder('latin1').decode(file.subarray(0, RECIPIENTS_HEADER_BYTES));
  const [header] = HEADER_OF_ANY.exec(text) ?? [];
  if (header === undefined) throw new EndToEndError('damaged');
  const types = Array.from(header.matchAll(/^-> (\S+)/gm), ([, type]) => type);
  if (types.length > MAX_STANZAS || types.includes('scrypt')) throw new EndToEndError('unsupported');
  return new Uint8Array(file.subarray(0, header.length));
}

/**
 * The key by which the rest of an age file with a passphrase is encrypted.
 * @throws EndToEndError
 */
export function fileKeyOf(header: Bytes, secret: string): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(secret);
  return fileKeyBy(decrypter, header);
}

/**
 * The key by which the rest of an age file is encrypted.
 * @throws EndToEndError
 */
export async function fileKeyBy(decrypter: Decrypter, header: Bytes): Promise<Uint8Array> {
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
