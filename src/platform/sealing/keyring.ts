import type { KeyObject } from 'node:crypto';
import { createHash, createSecretKey, hkdfSync } from 'node:crypto';
import { MissingMasterKey, seal, unseal, KEY_BYTES } from './secretbox.js';

/** Sealed with each master key, to recognise the right one. */
const KEY_CHECK = 'sealpush';
/** How many derived keys are kept in memory. */
const MAX_CACHED_KEYS = 256;
const MASTER_KEY_ID_BYTES = 8;

/**
 * What a key derived from a master key has sealed: a data key or owner key of a push, the content of a ticket, of a
 * message or of a webhook, the text of a search, the setup code, or the key check value.
 */
export interface SealedByMasterKey {
  masterKeyId: string;
  sealed: Buffer;
}

/**
 * The available master keys. The first one seals, and each of them unseals. A `scope` is the salt from which HKDF
 * derives the key that seals: each scope, such as `ticket/ID`, `user/ID` or the period of a push, has its own key.
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

  /** Seals bytes under the current master key, for one context. */
  seal(content: Buffer, scope: string, context: string): SealedByMasterKey {
    return { masterKeyId: this.current, sealed: this.sealerFor(scope)(content, context) };
  }

  /** Returns how to seal several contents of one scope under the current master key. */
  sealerFor(scope: string): (content: Buffer, context: string) => Buffer {
    const key = this.derivedKey(this.current, scope);
    return (content, context) => seal(key, content, context);
  }

  /** @throws UnsealError when it was not sealed by us for this scope and context, or was changed */
  unseal({ masterKeyId, sealed }: SealedByMasterKey, scope: string, context: string): Buffer {
    return unseal(this.derivedKey(masterKeyId, scope), sealed, context);
  }

  /** Seals text for a URL, a cookie or a form, as text that contains the id of its master key. */
  sealText(text: string, scope: string, context: string): string {
    const { masterKeyId, sealed } = this.seal(Buffer.from(text), scope, context);
    return Buffer.concat([Buffer.from(masterKeyId, 'hex'), sealed]).toString('base64url');
  }

  /** @throws UnsealError when it was not sealed by `sealText` for this scope and context, or its master key was removed */
  unsealText(sealedText: string, scope: string, context: string): string {
    const bytes = Buffer.from(sealedText, 'base64url');
    const masterKeyId = bytes.subarray(0, MASTER_KEY_ID_BYTES).toString('hex');
    return this.unseal(
      { masterKeyId, sealed: bytes.subarray(MASTER_KEY_ID_BYTES) },
      scope,
      context,
    ).toString();
  }

  /** The value of `MasterKey.keyCheck` for the current key. */
  keyCheck(): Buffer {
    return this.seal(Buffer.from(KEY_CHECK), 'key_check', 'master_keys/key_check').sealed;
  }

  /** @throws UnsealError when the key check value was not created with the key of this id */
  verify(masterKeyId: string, keyCheck: Buffer): void {
    this.unseal({ masterKeyId, sealed: keyCheck }, 'key_check', 'master_keys/key_check');
  }

  /**
   * A key for each scope (HKDF, RFC 5869), so that the number of seals per master key is not limited. The most recently
   * used ones are cached: deriving one costs as much as two seals.
   */
  private derivedKey(masterKeyId: string, scope: string): KeyObject {
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
    if (!masterKey) throw new MissingMasterKey(`Master key ${masterKeyId} is not configured`);
    return createSecretKey(
      Buffer.from(hkdfSync('sha256', masterKey, scope, 'sealpush wrapping key', KEY_BYTES)),
    );
  }
}

function keyId(key: Buffer): string {
  return createHash('sha256').update('sealpush key id').update(key).digest('hex').slice(0, 16);
}
