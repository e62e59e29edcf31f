import type { Envelope } from './envelope.js';
import { encodeEnvelope } from './envelope.js';

const HEADER = 150;
const NONCE = 16;
const CHUNK = 65_536;
const TAG = 16;

const ARMOR = '-----BEGIN AGE ENCRYPTED FILE-----\n-----END AGE ENCRYPTED FILE-----\n'.length;
const BYTES_OF_LINE = 48;

/** The size of a file once it is encrypted, in bytes. */
export function encryptedFileSize(size: number): number {
  return HEADER + NONCE + size + TAG * Math.max(1, Math.ceil(size / CHUNK));
}

/** The length of the payload with this envelope, in characters of ASCII. */
export function encryptedPayloadSize(envelope: Envelope): number {
  const size = encryptedFileSize(encodeEnvelope(envelope).length);
  return ARMOR + 4 * Math.ceil(size / 3) + Math.ceil(size / BYTES_OF_LINE);
}
