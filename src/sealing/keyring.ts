import type { KeyObject } from 'node:crypto';
import { createHash, createSecretKey, hkdfSync } from 'node:crypto';
import { KEY_BYTES } from './cipher.js';
import { unseal, seal } from './secretbox.js';

const PROOF = 'sealpush';
/** How many derived keys are kept in memory. */
const MAX_CACHED_KEYS = 256;

/**
 * What a key derived from a master key has sealed: a data key or owner key of a push, the content of a ticket, or the
 * proof of the master key itself.
 */
export interface WrappedKey {
  masterKeyId: string;
  wrapped: Buffer;
}

/** The available master keys. The first one seals, and each of them unseals. */
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
  wrap(key: Buffer, owner: string, context: string): WrappedKey {
    return { masterKeyId: this.current, wrapped: this.wrapperFor(owner)(key, context) };
  }

  /** Wraps several keys of one owner under the current master key. */
  wrapperFor(owner: string): (key: Buffer, context: string) => Buffer {
    const wrappingKey = this.wrappingKey(this.current, owner);
    return (key, context) => seal(wrappingKey, key, context);
  }

  /** @throws SealBroken when the key was not wrapped by us for this owner and context, or was changed */
  unwrap({ masterKeyId, wrapped }: WrappedKey, owner: string, context: string): Buffer {
    return unseal(this.wrappingKey(masterKeyId, owner), wrapped, context);
  }

  /** The value of `MasterKey.proof` for the current key. */
  prove(): Buffer {
    return this.wrap(Buffer.from(PROOF), 'proof', 'master_keys/proof').wrapped;
  }

  /** @throws SealBroken when the proof was not created with the key of this id */
  verify(masterKeyId: string, proof: Buffer): void {
    this.unwrap({ masterKeyId, wrapped: proof }, 'proof', 'master_keys/proof');
  }

  /**
   * A key for each owner (HKDF, RFC 5869), so that the number of wraps per master key is not limited. The most recently
   * used ones are cached: deriving one costs as much as two seals.
   */
  private wrappingKey(masterKeyId: string, owner: string): KeyObject {
    const name = `${masterKeyId}/${owner}`;
    const key = this.derived.get(name) ?? this.derive(masterKeyId, owner);
    this.derived.delete(name);
    this.derived.set(name, key);
    const [leastRecentlyUsed = ''] = this.derived.size > MAX_CACHED_KEYS ? this.derived.keys() : [];
    this.derived.delete(leastRecentlyUsed);
    return key;
  }

  private derive(masterKeyId: string, owner: string): KeyObject {
    const masterKey = this.keys.get(masterKeyId);
    if (!masterKey) throw new Error(`Master key ${masterKeyId} is not configured`);
    return createSecretKey(
      Buffer.from(hkdfSync('sha256', masterKey, owner, 'sealpush wrapping key', KEY_BYTES)),
    );
  }
}

function keyId(key: Buffer): string {
  return createHash('sha256').update('sealpush key id').update(key).digest('hex').slice(0, 16);
}
