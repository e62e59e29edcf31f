import type { KeyObject } from 'node:crypto';
import { createDecipheriv, createSecretKey, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What Lockbox's info for HKDF begins with. */
const INFO_PREFIX = Buffer.alloc(32, 0xb4);

/** The key that PasswordPusher uses when none is set. Its documentation shows it, so everyone knows it. */
export const DEFAULT_MASTER_KEY = '0c110f7f9d93d2122f36debf8a24bf835f33f248681714776b336849b801f693';

/** A value was sealed with another key, or was damaged. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
}

/** Decrypts what the Ruby library Lockbox has encrypted: AES-256-GCM, with a key for each column. */
export class Lockbox {
  private readonly derived = new Map<string, KeyObject[]>();

  /** @param masterKeys the current one, and earlier ones, which are tried in turn */
  constructor(private readonly masterKeys: Buffer[]) {}

  /**
   * The text in a column; empty when there is none.
   * @throws UnknownKey
   */
  decrypt(table: string, column: string, ciphertext: string | null): string {
    if (ciphertext === null || ciphertext === '') return '';
    const bytes = Buffer.from(ciphertext, 'base64');
    for (const key of this.keysFor(table, column)) {
      const text = decrypted(key, bytes);
      if (text !== undefined) return text;
    }
    throw new UnknownKey();
  }

  private keysFor(table: string, column: string): KeyObject[] {
    const name = `${table}/${column}`;
    let keys = this.derived.get(name);
    if (!keys) {
      const info = Buffer.concat([INFO_PREFIX, Buffer.from(column)]);
      keys = this.masterKeys.map((key) =>
        createSecretKey(Buffer.from(hkdfSync('sha384', key, table, info, KEY_BYTES))),
      );
      this.derived.set(name, keys);
    }
    return keys;
  }
}

function decrypted(key: KeyObject, bytes: Buffer): string | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const start = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([start, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
