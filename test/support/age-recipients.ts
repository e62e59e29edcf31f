import { createECDH } from 'node:crypto';
import { bech32 } from '@scure/base';
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption';

/** The length of a public key of ML-KEM-768. */
const ML_KEM_BYTES = 1184;

/** A new recipient of each kind that age-encryption encrypts to, by its prefix. */
export async function newRecipients(): Promise<[string, string][]> {
  const hybrid = await identityToRecipient(await generateHybridIdentity());
  const point = createECDH('prime256v1');
  point.generateKeys();
  return [
    ['age', await identityToRecipient(await generateX25519Identity())],
    ['age1pq', hybrid],
    ['age1tag', encoded('age1tag', point.getPublicKey(null, 'compressed'))],
    [
      'age1tagpq',
      encoded('age1tagpq', Buffer.concat([bytesIn(hybrid).subarray(0, ML_KEM_BYTES), point.getPublicKey()])),
    ],
  ];
}

export function encoded(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(Uint8Array.from(bytes)), false);
}

/** The public key of a recipient. */
export function bytesIn(recipient: string): Uint8Array {
  return bech32.fromWords(bech32.decode(recipient as `${string}1${string}`, false).words);
}
