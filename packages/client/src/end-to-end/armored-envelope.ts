import type { Encrypter } from 'age-encryption';
import { armor } from 'age-encryption';
import { decrypterWith } from './age-header.js';
import { EndToEndError } from './end-to-end-error.js';
import type { Envelope } from './envelope.js';
import { decodeEnvelope, encodeEnvelope } from './envelope.js';

/** An armored age file with the envelope. */
export async function encryptEnvelope(envelope: Envelope, encrypter: Encrypter): Promise<string> {
  return armor.encode(await encrypter.encrypt(encodeEnvelope(envelope)));
}

/** @throws EndToEndError */
export function withoutArmor(payload: string): Uint8Array {
  try {
    return armor.decode(payload);
  } catch {
    throw new EndToEndError('damaged');
  }
}

/**
 * The envelope in an age file whose key is known.
 * @throws EndToEndError
 */
export async function envelopeIn(file: Uint8Array, fileKey: Uint8Array): Promise<Envelope> {
  return decodeEnvelope(await decrypted(file, fileKey));
}

async function decrypted(file: Uint8Array, fileKey: Uint8Array): Promise<Uint8Array> {
  try {
    return await decrypterWith(fileKey).decrypt(file);
  } catch {
    throw new EndToEndError('damaged');
  }
}
