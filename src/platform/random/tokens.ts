import { hash } from 'node:crypto';
import { secureRandom } from './secure-random.js';

const TOKEN_BYTES = 32;

/** 256 random bits in base64url: 43 characters. */
export function newToken(): string {
  return secureRandom(TOKEN_BYTES).toString('base64url');
}

/** The digest by which a token is stored and looked up. Plain SHA-256 is enough: a token is too long to be guessed. */
export function digestOf(token: string): string {
  return hash('sha256', token);
}
