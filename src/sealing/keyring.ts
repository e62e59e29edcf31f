import type { KeyObject } from 'node:crypto';
import { createHash, createSecretKey, hkdfSync } from 'node:crypto';
import { KEY_BYTES } from './cipher.js';
import { unseal, seal } from './secretbox.js';

/** Sealed with each master key, to recognise the right one. */
const KEY_CHECK = 'sealpush';
/** How many derived keys are kept in memory. */
const MAX_CACHED_KEYS = 256;

/**
 * What a key derived from a master key has sealed: a data key or owner key of a push, the content of a ticket, the text
 * of a search, or the key check value.
 */
export interface WrappedKey {
  masterKeyId: string;
  wrapped: Buffer;
}

/**
 * The available master keys. The first one seals, and each of them unseals. A `scope` is the salt from which HKDF
 * derives a wrapping key: each scope, such as `ticket/ID`, `user/ID` or the period of a push, has its own key.
 */
export class Keyring {
  private readonly keys: ReadonlyMap<string, KeyObject>;
  /** Least recently used first. */
  private readonly derived = new Map<string, KeyObject>();

  /** The id of the key that seals. */
  readonly current: string;

  constructor(keys: Buffer[]) {
    this.keys = new Map(keys.map((key) => [keyId(key), createSecretKey(key)]));
    this.current = keyId(keys[0] ?? Buffer.alloc(0));
  }

  get ids(): string[] {
    return [...this.keys.keys()];
  }

  /** Wraps a key under the current master key, for one context. */
  wrap(key: Buffer, scope: string, context: string): WrappedKey {
    return { masterKeyId: this.current, wrapped: this.wrapperFor(scope)(key, context) };
  }

  /** Wraps several keys of one scope under the current master key. */
  wrapperFor(scope: string): (key: Buffer, context: string) => Buffer {
    const wrappingKey = this.wrappingKey(this.current, scope);
    return (key, context) => seal(wrappingKey, key, context);
  }

  /** @throws UnsealError when the key was not wrapped by us for this scope and context, or was changed */
  unwrap({ masterKeyId, wrapped }: WrappedKey, scope: string, context: string): Buffer {
    return unseal(this.wrappingKey(masterKeyId, scope), wrapped, context);
  }

  /** The value of `MasterKey.keyCheck` for the current key. */
  keyCheck(): Buffer {
    return this.wrap(Buffer.from(KEY_CHECK), 'proof', 'master_keys/proof').wrapped;
  }

  /** @throws UnsealError when the key check value was not created with the key of this id */
  verify(masterKeyId: string, keyCheck: Buffer): void {
    this.unwrap({ masterKeyId, wrapped: keyCheck }, 'proof', 'master_keys/proof');
  }

  /**
   * A key for each scope (HKDF, RFC 5869), so that the number of wraps per master key is not limited. The most recently
   * used ones are cached: deriving one costs as much as two seals.
   */
  private wrappingKey(masterKeyId: string, scope: string): KeyObject {
    const name = `${masterKeyId}/${scope}`;
    const key = this.derived.get(name) ?? this.derive(masterKeyId, scope);
    this.derived.delete(name);
    this.derived.set(name, key);
    const [leastRecentlyUsed = ''] = this.derived.size > MAX_CACHED_KEYS ? this.derived.keys() : [];
    this.derived.delete(leastRecentlyUsed);
    return key;
  }

  private derive(masterKeyId: string, scope: string): KeyObject {
    const masterKey = this.keys.get(masterKeyId);
    if (!masterKey) throw new Error(`Master key ${masterKeyId} is not configured`);
    return createSecretKey(
      Buffer.from(hkdfSync('sha256', masterKey, scope, 'sealpush wrapping key', KEY_BYTES)),
    );
  }
}

function keyId(key: Buffer): string {
  return createHash('sha256').update('sealpush key id').update(key).digest('hex').slice(0, 16);
}
