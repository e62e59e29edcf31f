import type { KeyObject } from 'node:crypto';
import { createSecretKey, hkdfSync } from 'node:crypto';
import { KEY_BYTES } from '../../platform/sealing/secretbox.js';
import { secureRandom } from '../../platform/random/random.js';

/** 32 bytes in base64url, which a client has derived from the key in the link (docs/end-to-end.md). */
const PROOF = /^[A-Za-z0-9_-]{43}$/;
/** Longer than that of a passphrase, so that a row says which of the two its data key is wrapped by. */
const SALT_BYTES = 32;

export function isProof(passphrase: string): boolean {
  return PROOF.test(passphrase);
}

export function newProofSalt(): Buffer {
  return secureRandom(SALT_BYTES);
}

/** Whether this salt is that of a proof, and not that of a passphrase which a person has chosen. */
export function isProofSalt(salt: Buffer): boolean {
  return salt.length === SALT_BYTES;
}

/**
 * The key derived from a proof. It is fast, because a proof has 256 random bits, which nobody can guess (RFC 5869,
 * section 4).
 * @param context where the key is used
 */
export function proofKey(proof: string, salt: Buffer, context: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', proof, salt, context, KEY_BYTES)));
}
