import { Encrypter } from 'age-encryption';
import { fileKeyOf, headerOf } from './age-header.js';
import { encryptEnvelope, envelopeIn, withoutArmor } from './armored-envelope.js';
import type { Envelope } from './envelope.js';
import type { Fragment } from './fragment.js';
import { agePassphraseOf, WORK_FACTOR_OF_PASSPHRASES } from './secret.js';

/** Low, because the key has 256 random bits. */
const WORK_FACTOR_OF_KEYS = 12;

/** An armored age file with the envelope. */
export async function encryptPayload(
  envelope: Envelope,
  fragment: Fragment,
  passphrase: string,
): Promise<string> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(agePassphraseOf(fragment, passphrase));
  encrypter.setScryptWorkFactor(fragment.needsPassphrase ? WORK_FACTOR_OF_PASSPHRASES : WORK_FACTOR_OF_KEYS);
  return encryptEnvelope(envelope, encrypter);
}

/** @throws EndToEndError */
export async function decryptPayload(
  payload: string,
  fragment: Fragment,
  passphrase: string,
): Promise<Envelope> {
  const file = withoutArmor(payload);
  const fileKey = await fileKeyOf(headerOf(file), agePassphraseOf(fragment, passphrase));
  return envelopeIn(file, fileKey);
}
