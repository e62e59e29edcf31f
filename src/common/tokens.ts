import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** 256 random bits in base64url: 43 characters. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored and looked up of a token. Plain SHA-256 is enough: a token is too long to be guessed. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
