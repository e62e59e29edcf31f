import { Decrypter, Encrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { fileKeyBy, recipientsHeaderOf } from './age-header.js';
import { encryptEnvelope, envelopeIn, withoutArmor } from './armored-envelope.js';
import { EndToEndError } from './end-to-end-error.js';
import type { Envelope } from './envelope.js';

export { encryptFile } from './files.js';
export { identitiesIn, keyFileOf } from './key-file.js';

/** A new identity of age, with X25519 and ML-KEM-768, and its recipient. */
export async function newIdentity(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateHybridIdentity();
  return { identity, recipient: await recipientOf(identity) };
}

/**
 * The recipient to which files are encrypted that this identity decrypts.
 * @throws EndToEndError if it is not an identity
 */
export async function recipientOf(identity: string): Promise<string> {
  try {
    return await identityToRecipient(identity);
  } catch {
    throw new EndToEndError('unsupported');
  }
}

/**
 * The payload that the server gets: an armored age file that only this recipient can decrypt.
 * @throws EndToEndError if nothing can be encrypted to the recipient
 */
export async function encryptPayloadFor(envelope: Envelope, recipient: string): Promise<string> {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
    return await encryptEnvelope(envelope, encrypter);
  } catch {
    throw new EndToEndError('unsupported'); // for example a public key that is no point of its curve
  }
}

/**
 * The content of a payload that was encrypted to the recipient of one of these identities.
 * @throws EndToEndError
 */
export async function decryptPayloadWith(payload: string, identities: readonly string[]): Promise<Envelope> {
  const file = withoutArmor(payload);
  const fileKey = await fileKeyBy(decrypterFor(identities), recipientsHeaderOf(file));
  return envelopeIn(file, fileKey);
}

function decrypterFor(identities: readonly string[]): Decrypter {
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    throw new EndToEndError('unsupported');
  }
  return decrypter;
}
