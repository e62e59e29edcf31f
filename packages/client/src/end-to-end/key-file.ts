import { bech32 } from '@scure/base';
import { EndToEndError } from './end-to-end-error.js';

const MAX_CHARACTERS = 100_000;
const MAX_LINES = 100;

/** What precedes the last `1` of an identity, in lower case: X25519, and ML-KEM-768 with X25519. */
const PREFIXES = ['age-secret-key-', 'age-secret-key-pq-'];
const BYTES = 32;

export interface NewKeyFile {
  identity: string;
  recipient: string;
  createdAt: Date;
}

/** The content of a key file as `age-keygen` writes it, which `age -d -i` reads. */
export function keyFileOf({ identity, recipient, createdAt }: NewKeyFile): string {
  const created = createdAt.toISOString().replace(/\.\d+/, '');
  return `# created: ${created}\n# public key: ${recipient}\n${identity}\n`;
}

/**
 * The identities in a key file: at least one.
 * @throws EndToEndError if it contains anything else than identities, comments and blank lines, or too much
 */
export function identitiesIn(keyFile: string): string[] {
  const lines = keyFile.length > MAX_CHARACTERS ? [] : keyFile.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const isValid = lines.length <= MAX_LINES && identities.length > 0 && identities.every(isIdentity);
  if (!isValid) throw new EndToEndError('unsupported');
  return identities;
}

/** Whether a text is an identity that decrypts what is encrypted to its recipient. */
export function isIdentity(text: string): boolean {
  if (text !== text.toUpperCase()) return false;
  const { prefix = '', words = [] } = bech32.decodeUnsafe(text) ?? {};
  return PREFIXES.includes(prefix) && bech32.fromWordsUnsafe(words)?.length === BYTES;
}
