import { createSecretKey, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newKey, open, seal, SealBroken } from '../sealing/secretbox.js';
import { KEY_BYTES } from '../sealing/cipher.js';
import { Keyring } from '../sealing/keyring.js';
import { Passphrases } from '../sealing/passphrases.js';
import type { Push } from './push.entity.js';
import type { PushTerms } from './create/push-terms.js';

/** The sealed columns of a push, and those that are needed to open them. */
export type SealedColumns = Pick<
  Push,
  'masterKeyId' | 'ownerKey' | 'urlToken' | 'name' | 'note' | 'dataKey' | 'payload' | 'passphraseSalt'
>;

/** What the owner may read at any time. */
export interface OwnerFields {
  urlToken: string;
  name: string;
  note: string;
}

/** What only a retrieval may read. */
export interface OpenedPush {
  payload: string;
  dataKey: Buffer;
}

/** What the keys of a push are bound to: in a row with other values they do not open. */
export type BoundColumns = Pick<Push, 'id' | 'tokenDigest' | 'userId'>;

/** The first byte of a wrapped key that is bound to `BoundColumns`. */
const BOUND = 1;
/** Lengths of wrapped keys in the previous format, which lacks that byte: without and with a passphrase. */
const UNBOUND_LENGTHS = [60, 88];

/** The passphrase is not the one that the push was created with. */
export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
}

/** Seals and opens the contents of a push. docs/security.md describes what is sealed with which key. */
@Injectable()
export class PushSeal {
  constructor(
    private readonly keyring: Keyring,
    private readonly passphrases: Passphrases,
  ) {}

  /**
   * @param dataKey seals the payload; the files of the push are already sealed with it
   * @param ownerFields what is stored for the owner; undefined when it will never be read
   * @param ip address of the client
   */
  async seal(
    row: BoundColumns,
    terms: Pick<PushTerms, 'payload' | 'passphrase'>,
    dataKey: Buffer,
    ownerFields: Partial<OwnerFields> | undefined,
    ip: string,
  ): Promise<SealedColumns> {
    const { id } = row;
    const passphraseSalt = terms.passphrase === undefined ? null : this.passphrases.newSalt();
    const wrap = this.keyring.wrapperFor(periodOf(id));
    const inner = passphraseSalt
      ? seal(
          await this.passphrases.deriveKey(terms.passphrase ?? '', passphraseSalt, 'creation', ip),
          dataKey,
          place(id, 'passphrase'),
        )
      : dataKey;
    return {
      masterKeyId: this.keyring.current,
      ...(ownerFields ? sealOwnerFields(row, ownerFields, wrap) : NO_OWNER_FIELDS),
      dataKey: bound(wrap(inner, dataKeyPlace(row))),
      payload: seal(createSecretKey(dataKey), terms.payload, place(id, 'payload')),
      passphraseSalt,
    };
  }

  /** Whether the keys of a push have the previous format, bound to its id alone, or an older master key. */
  needsRewrap({ masterKeyId, ownerKey, dataKey }: Push): boolean {
    return (
      masterKeyId !== this.keyring.current || !isBound(ownerKey) || (dataKey !== null && !isBound(dataKey))
    );
  }

  /**
   * The same keys, wrapped by the current master key and bound to the row. The inner wrap by a passphrase, if there
   * is one, stays as it is.
   * @throws SealBroken when the row was tampered with
   */
  rewrap(push: Push): Pick<SealedColumns, 'masterKeyId' | 'ownerKey' | 'dataKey'> {
    const wrap = this.keyring.wrapperFor(periodOf(push.id));
    const { ownerKey, dataKey } = push;
    return {
      masterKeyId: this.keyring.current,
      ownerKey: ownerKey.length > 0 ? bound(wrap(this.unwrapOwnerKey(push), ownerKeyPlace(push))) : ownerKey,
      dataKey: dataKey && bound(wrap(this.unwrapDataKey(push, dataKey), dataKeyPlace(push))),
    };
  }

  /** @throws SealBroken when the row was tampered with */
  openOwnerFields(push: Push): OwnerFields {
    const { id } = push;
    const key = createSecretKey(this.unwrapOwnerKey(push));
    const text = (field: keyof OwnerFields) => {
      const sealed = push[field];
      return sealed ? open(key, sealed, place(id, field)).toString() : '';
    };
    return { urlToken: text('urlToken'), name: text('name'), note: text('note') };
  }

  /**
   * The key with which the sender of a push without an owner may delete it. Derived from the owner key, so that it need
   * not be stored; undefined when there is none, because the push was not created on a page.
   * @throws SealBroken when the row was tampered with
   */
  deleteKey(push: Push): string | undefined {
    if (push.userId !== null || push.ownerKey.length === 0) return undefined;
    const derived = hkdfSync('sha256', this.unwrapOwnerKey(push), push.id, 'sealpush delete key', KEY_BYTES);
    return Buffer.from(derived).toString('base64url');
  }

  /** Compares in constant time. */
  isDeleteKey(push: Push, key: string): boolean {
    const expected = this.deleteKey(push);
    return (
      expected !== undefined &&
      key.length === expected.length &&
      timingSafeEqual(hash('sha256', key, 'buffer'), hash('sha256', expected, 'buffer'))
    );
  }

  /**
   * The secret, and the key that opens the files. The push must not be expired.
   * @param ip address of the client
   * @throws WrongPassphrase when it is protected and the passphrase is wrong
   * @throws SealBroken when the row was tampered with
   */
  async open(push: Push, passphrase: string | undefined, ip: string): Promise<OpenedPush> {
    const { id, dataKey, passphraseSalt, payload } = push;
    if (!dataKey || !payload) throw new SealBroken(`push ${id} has nothing to open`);

    const inner = this.unwrapDataKey(push, dataKey);
    const key = passphraseSalt ? await this.unlock(id, inner, passphraseSalt, { passphrase, ip }) : inner;
    return { payload: open(createSecretKey(key), payload, place(id, 'payload')).toString(), dataKey: key };
  }

  private unwrapOwnerKey(push: Push): Buffer {
    return this.unwrap(push, push.ownerKey, ownerKeyPlace(push), place(push.id, 'ownerKey'));
  }

  private unwrapDataKey(push: Push, dataKey: Buffer): Buffer {
    return this.unwrap(push, dataKey, dataKeyPlace(push), place(push.id, 'dataKey'));
  }

  private unwrap(
    { id, masterKeyId }: Push,
    wrapped: Buffer,
    boundPlace: string,
    unboundPlace: string,
  ): Buffer {
    if (!isBound(wrapped)) return this.keyring.unwrap({ masterKeyId, wrapped }, id, unboundPlace);
    try {
      if (wrapped[0] !== BOUND) throw new SealBroken('unknown format');
      return this.keyring.unwrap({ masterKeyId, wrapped: wrapped.subarray(1) }, periodOf(id), boundPlace);
    } catch (error) {
      // the log must contain neither the digest nor the account
      throw error instanceof SealBroken ? new SealBroken(`${unboundPlace} does not open in this row`) : error;
    }
  }

  private async unlock(
    id: string,
    inner: Buffer,
    salt: Buffer,
    { passphrase = '', ip }: { passphrase?: string; ip: string },
  ): Promise<Buffer> {
    if (this.passphrases.isTooLong(passphrase)) throw new WrongPassphrase();
    const key = await this.passphrases.deriveKey(passphrase, salt, 'retrieval', ip);
    try {
      return open(key, inner, place(id, 'passphrase'));
    } catch (error) {
      // the outer wrap opened, so the inner one is unchanged and the passphrase is wrong
      throw error instanceof SealBroken ? new WrongPassphrase() : error;
    }
  }
}

/** Stored when the owner's fields will never be read: nothing, so that nothing can leak. */
const NO_OWNER_FIELDS = { ownerKey: Buffer.alloc(0), urlToken: Buffer.alloc(0), name: null, note: null };

function sealOwnerFields(
  row: BoundColumns,
  { urlToken = '', name, note }: Partial<OwnerFields>,
  wrap: (key: Buffer, place: string) => Buffer,
): Pick<SealedColumns, 'ownerKey' | keyof OwnerFields> {
  const ownerKey = newKey();
  const key = createSecretKey(ownerKey);
  const sealed = (field: keyof OwnerFields, text: string) => seal(key, text, place(row.id, field));
  return {
    ownerKey: bound(wrap(ownerKey, ownerKeyPlace(row))),
    urlToken: sealed('urlToken', urlToken),
    name: name === undefined ? null : sealed('name', name),
    note: note === undefined ? null : sealed('note', note),
  };
}

/** Where sealed bytes are stored. They open nowhere else, so values cannot be moved between rows or columns. */
function place(id: string, field: string): string {
  return `push/${id}/${field}`;
}

/**
 * Pushes created in the same 4.7 hours (2^24 ms) are wrapped by the same key, so that the keyring's cache has it: an
 * id starts with its time in milliseconds, as 12 hexadecimal digits (RFC 9562, 5.7). With random nonces, one key may
 * be used for 2^32 wraps (NIST SP 800-38D, 8.3).
 */
export function periodOf(id: string): string {
  return id.slice(0, 6);
}

/** Includes the owner, so that changing the account in the row of someone else's push opens nothing. */
function ownerKeyPlace({ id, userId }: BoundColumns): string {
  return `${place(id, 'ownerKey')}/${userId ?? 'nobody'}`;
}

/** Includes the digest, so that putting the digest of another link into the row opens nothing. */
function dataKeyPlace({ id, tokenDigest }: BoundColumns): string {
  return `${place(id, 'dataKey')}/${tokenDigest}`;
}

function bound(wrapped: Buffer): Buffer {
  return Buffer.concat([Buffer.of(BOUND), wrapped]);
}

/** The length only selects which format to try; opening it verifies that. */
function isBound(wrapped: Buffer): boolean {
  return !UNBOUND_LENGTHS.includes(wrapped.length);
}
