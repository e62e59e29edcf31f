import { scrypt } from '@noble/hashes/scrypt.js';
import type { Fragment } from './fragment.js';
import type { Bytes } from './key.js';
import { bytesOfKey, toBase64url } from './key.js';

export const WORK_FACTOR_OF_PASSPHRASES = 17;
const BYTES = 32;

/** The passphrase of the age file that is the payload. */
export function agePassphraseOf(fragment: Fragment, passphrase: string): string {
  return fragment.needsPassphrase ? `${fragment.text} ${normalized(passphrase)}` : fragment.text;
}

/** What the server knows as the passphrase of the push: 43 characters, from which no key can be computed. */
export async function proofOf(fragment: Fragment, passphrase: string): Promise<string> {
  const derived = fragment.needsPassphrase ? await fromPassphrase(fragment, passphrase) : new Uint8Array();
  const bits = await derive(fragment, 'sealpush/e2e/1/proof');
  const key = await crypto.subtle.importKey('raw', bits, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, derived)));
}

async function fromPassphrase(fragment: Fragment, passphrase: string): Promise<Bytes> {
  const salt = await derive(fragment, 'sealpush/e2e/1/salt');
  const N = 2 ** WORK_FACTOR_OF_PASSPHRASES;
  return new Uint8Array(
    scrypt(new TextEncoder().encode(normalized(passphrase)), salt, { N, r: 8, p: 1, dkLen: BYTES }),
  );
}

async function derive({ key }: Fragment, info: string): Promise<Bytes> {
  const input = await crypto.subtle.importKey('raw', bytesOfKey(key), 'HKDF', false, ['deriveBits']);
  const algorithm = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, input, BYTES * 8));
}

/** Normalizes a passphrase, because keyboards and systems encode the same letters in different ways. */
function normalized(passphrase: string): string {
  if (passphrase === '') throw new RangeError('a passphrase is needed');
  return passphrase.normalize('NFC');
}
