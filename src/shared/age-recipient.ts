import { bech32 } from '@scure/base';
import { Problem } from '../platform/errors/problem.js';

const MAX_LENGTH = 4000;

interface AgeKeyKind {
  /** The length of the public key. */
  bytes: number;
  /** The length of the header of an age file that is encrypted to one such recipient. */
  headerBytes: number;
}

/** The kinds of recipients that age-encryption encrypts to, by what precedes the last `1`. */
const KINDS = new Map<string, AgeKeyKind>([
  ['age', { bytes: 32, headerBytes: 168 }], // X25519
  ['age1pq', { bytes: 1216, headerBytes: 1627 }], // ML-KEM-768 with X25519
  ['age1tag', { bytes: 33, headerBytes: 220 }], // P-256, of a hardware key
  ['age1tagpq', { bytes: 1249, headerBytes: 1679 }], // ML-KEM-768 with P-256, of a hardware key
]);

/**
 * What is wrong with an age recipient (https://c2sp.org/age). Only encrypting shows whether a recipient of the right
 * length is a point of its curve.
 */
export function recipientError(text: unknown): Problem | undefined {
  return typeof text === 'string' && kindOf(text) ? undefined : new Problem('recipient_not_age');
}

/**
 * The length in bytes of the header of an age file that is encrypted to this recipient only. It follows from the kind:
 * the rest is not decoded, which scripts of pages would need a library for.
 * @throws RangeError if it is of no known kind
 */
export function headerBytesFor(recipient: string): number {
  const kind = KINDS.get(recipient.slice(0, recipient.lastIndexOf('1')));
  if (!kind) throw new RangeError('not an age recipient');
  return kind.headerBytes;
}

function kindOf(recipient: string): AgeKeyKind | undefined {
  if (recipient.length > MAX_LENGTH || recipient !== recipient.toLowerCase()) return undefined;
  const { prefix = '', words = [] } = bech32.decodeUnsafe(recipient, false) ?? {};
  const kind = KINDS.get(prefix);
  return kind?.bytes === bech32.fromWordsUnsafe(words)?.length ? kind : undefined;
}
