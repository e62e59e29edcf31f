import {
  AGE_REQUIREMENT,
  beginsWithAgeHeader,
  beginsWithRecipientStanza,
  RECIPIENT_REQUIREMENT,
} from '../../files/age-header.js';
import type { PushKind } from '../../shared/push-kind.js';
import { Problem } from '../../platform/errors/problem.js';
import { isProof } from '../push/proofs.js';

/**
 * The first line and enough of the following lines for the header: the encoding is strict (RFC 7468, 3), so a line that
 * is not the last has 64 characters. The shortest age file has 50 in its fourth.
 */
const ARMOUR = /^-----BEGIN AGE ENCRYPTED FILE-----\r?\n((?:[A-Za-z0-9+/]{64}\r?\n){3}[A-Za-z0-9+/]{50})/;
const ARMOUR_LENGTH = 300;

/**
 * What is wrong with the kind of a push that its client has encrypted: only the client knows the kind of the secret.
 */
export function encryptedKindError(kind: PushKind): Problem | undefined {
  return kind === 'text' || kind === 'file' ? undefined : new Problem('kind_not_encrypted');
}

/**
 * What is wrong with its payload. The work does not depend on its length.
 * @param encryptedFor whom its client encrypts: whoever has the key in its link, or an age recipient
 */
export function encryptedPayloadError(
  payload = '',
  encryptedFor: 'link' | 'recipient' = 'link',
): Problem | undefined {
  const [, encoded = ''] = ARMOUR.exec(payload.slice(0, ARMOUR_LENGTH)) ?? [];
  const start = Buffer.from(encoded, 'base64');
  const [isEncrypted, requirement] =
    encryptedFor === 'link'
      ? [beginsWithAgeHeader(start), AGE_REQUIREMENT]
      : [beginsWithRecipientStanza(start), RECIPIENT_REQUIREMENT];
  return isEncrypted ? undefined : new Problem('payload_not_encrypted', { requirement });
}

/** What is wrong with its passphrase, which is derived from the key in its link. */
export function proofError(passphrase = ''): Problem | undefined {
  return isProof(passphrase) ? undefined : new Problem('passphrase_not_a_proof');
}
