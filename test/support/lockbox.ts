import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts a text as Lockbox does for a column. */
export function lockboxed(key: string, table: string, column: string, text: string): string {
  const info = Buffer.concat([Buffer.alloc(32, 0xb4), Buffer.from(column)]);
  const columnKey = Buffer.from(hkdfSync('sha384', Buffer.from(key, 'hex'), table, info, 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', columnKey, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64');
}
