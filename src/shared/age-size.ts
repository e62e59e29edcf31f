/** Bytes of the header of an age file with one scrypt stanza whose work factor has two digits; one less with one digit. */
const HEADER = 150;
const NONCE = 16;
const CHUNK = 65_536;
const TAG = 16;

/**
 * The size of a file once it is encrypted as an age file (https://c2sp.org/age), in bytes. Its header is as long as one
 * with a scrypt stanza, if no other length is given.
 */
export function encryptedFileSize(size: number, header = HEADER): number {
  return header + NONCE + size + TAG * Math.max(1, Math.ceil(size / CHUNK));
}

/** The size of what such a file of this size contains, in bytes. */
export function decryptedFileSize(encrypted: number): number {
  const chunks = encrypted - HEADER - NONCE;
  return Math.max(0, chunks - TAG * Math.max(1, Math.ceil(chunks / (CHUNK + TAG))));
}
