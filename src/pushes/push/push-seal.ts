import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newKey, unseal, seal, UnsealError, KEY_BYTES } from '../../platform/sealing/secretbox.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import type { QueuedClient } from '../../platform/limits/fair-queue.js';
import { Passphrases } from './passphrases.js';
import { isProofSalt, newProofSalt, proofKey } from './proofs.js';
import { UnreadableRows } from '../../platform/sealing/unreadable-rows.js';
import type { OwnerText, Push } from './push.entity.js';
import { ownerTexts } from './push.entity.js';

/** The sealed columns of a push, and those that are needed to unseal them. */
export type SealedColumns = Pick<
  Push,
  | 'masterKeyId'
  | 'ownerKey'
  | 'urlToken'
  | 'recipients'
  | OwnerText
  | 'dataKey'
  | 'payload'
  | 'passphraseSalt'
>;

/** What the owner may read at any time. */
export interface OwnerFields extends Record<OwnerText, string> {
  urlToken: string;
  /** Who may open it besides the owner; undefined when whoever has its link may. */
  recipients?: string[];
  /** Whether any of them is empty because the row is damaged. */
  isUnreadable?: boolean;
}

type OwnerField = 'urlToken' | 'recipients' | OwnerText;

/** The payload of a new push, and what protects it: a passphrase that a person has chosen, or the proof of a client. */
export interface Secret {
  payload: string;
  passphrase?: string;
  /** Whether the passphrase is a proof. */
  hasProof?: boolean;
}

/** What only a retrieval may read. */
export interface UnsealedPush {
  payload: string;
  dataKey: Buffer;
}

/** What the keys of a push are bound to: in a row with other values they cannot be unsealed. */
export type BoundColumns = Pick<Push, 'id' | 'tokenDigest' | 'userId'>;

/** The wrapped keys of a push, and all that is needed to unwrap them or to wrap them again. */
export const WRAP_COLUMNS = [
  'id',
  'tokenDigest',
  'userId',
  'masterKeyId',
  'ownerKey',
  'dataKey',
  'passphraseSalt',
] as const satisfies (keyof Push)[];

type WrappedKeys = Pick<Push, (typeof WRAP_COLUMNS)[number]>;

/** The passphrase is not the one that the push was created with. */
export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
}

/** Seals and unseals the contents of a push. docs/security.md describes what is sealed with which key. */
@Injectable()
export class PushSeal {
  constructor(
    private readonly keyring: Keyring,
    private readonly passphrases: Passphrases,
    private readonly unreadableRows: UnreadableRows,
  ) {}

  /**
   * @param dataKey seals the payload; the files of the push are already sealed with it
   * @param ownerFields what is sealed with the owner key; undefined when it will never be read
   * @param ip of the client
   */
  async seal(
    row: BoundColumns,
    secret: Secret,
    dataKey: Buffer,
    ownerFields: Partial<OwnerFields> | undefined,
    ip: string,
  ): Promise<SealedColumns> {
    const { id } = row;
    const wrap = this.keyring.sealerFor(periodOf(id));
    let [passphraseSalt, inner]: [Buffer | null, Buffer] = [null, dataKey];
    if (secret.passphrase !== undefined) {
      passphraseSalt = secret.hasProof ? newProofSalt() : this.passphrases.newSalt();
      const client = { ip, isKnown: row.userId !== null };
      const key = await this.innerKey(id, secret.passphrase, passphraseSalt, 'creation', client);
      inner = seal(key, dataKey, innerContext(id, passphraseSalt));
    }
    return {
      masterKeyId: this.keyring.current,
      ...(ownerFields ? sealOwnerFields(row, ownerFields, wrap) : NO_OWNER_FIELDS),
      dataKey: wrap(inner, dataKeyContext({ ...row, passphraseSalt })),
      payload: seal(createSecretKey(dataKey), secret.payload, context(id, 'payload')),
      passphraseSalt,
    };
  }

  /**
   * The same keys, wrapped by the current master key. The inner wrap by a passphrase, if there is one, stays as it is.
   * @throws UnsealError when the row was tampered with
   */
  rewrap(push: WrappedKeys): Pick<SealedColumns, 'masterKeyId' | 'ownerKey' | 'dataKey'> {
    const wrap = this.keyring.sealerFor(periodOf(push.id));
    const { ownerKey, dataKey } = push;
    return {
      masterKeyId: this.keyring.current,
      ownerKey: ownerKey.length > 0 ? wrap(this.unwrapOwnerKey(push), ownerKeyContext(push)) : ownerKey,
      dataKey: dataKey && wrap(this.unwrapDataKey(push, dataKey), dataKeyContext(push)),
    };
  }

  /** What cannot be read of them, because the row is damaged, is empty. */
  unsealOwnerFields(push: Push): OwnerFields {
    const read = <Value>(value: () => Value) => this.unreadableRows.readIfPossible(`push ${push.id}`, value);
    const key = read(() => createSecretKey(this.unwrapOwnerKey(push)));
    if (!key) return { urlToken: '', ...ownerTexts(() => ''), isUnreadable: true };
    let isUnreadable = false;
    const text = (field: OwnerField) => {
      const sealed = push[field];
      const unsealed = sealed ? read(() => unseal(key, sealed, context(push.id, field)).toString()) : '';
      isUnreadable ||= unsealed === undefined;
      return unsealed ?? '';
    };
    const fields = { urlToken: text('urlToken'), ...ownerTexts(text) };
    const recipients = push.recipients ? recipientsIn(text('recipients')) : undefined;
    return { ...fields, recipients, isUnreadable };
  }

  /** Seals what else the owner may read at any time, for a row that refers to the push. */
  sealForOwner(push: Push, text: string, field: string): Buffer {
    return seal(createSecretKey(this.unwrapOwnerKey(push)), text, context(push.id, field));
  }

  /** Undefined when it cannot be read, because a row is damaged. */
  unsealForOwner(push: Push, sealed: Buffer, field: string): string | undefined {
    return this.unreadableRows.readIfPossible(`${field} of push ${push.id}`, () =>
      unseal(createSecretKey(this.unwrapOwnerKey(push)), sealed, context(push.id, field)).toString(),
    );
  }

  /**
   * The key with which the sender of a push without an owner may delete it. Derived from the owner key, so that it need
   * not be stored; undefined when there is none, because the push was not created on a page.
   * @throws UnsealError when the row was tampered with
   */
  deleteKey(push: Push): string | undefined {
    if (push.userId !== null || push.ownerKey.length === 0) return undefined;
    return this.deriveKey(push, 'sealpush delete key').toString('base64url');
  }

  /**
   * A digest of texts about a push that only holders of the master key can compute, however easy the texts are to guess.
   * It stays the same when master keys are rotated.
   * @param kind what the texts are: those of different kinds never have the same digest
   */
  keyedDigest(push: Push, kind: string, ...texts: string[]): string {
    const key = this.deriveKey(push, 'sealpush digests');
    return createHmac('sha256', key)
      .update(JSON.stringify([kind, ...texts]))
      .digest('hex');
  }

  /** Who may open a push; nobody when that cannot be read, because the row is damaged. */
  recipientsOf(push: Push): string[] {
    const text = push.recipients && this.unsealForOwner(push, push.recipients, 'recipients');
    return recipientsIn(text ?? '');
  }

  sealRecipients(push: Push, recipients: string[]): Buffer {
    return this.sealForOwner(push, JSON.stringify(recipients), 'recipients');
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
   * The secret, and the key that unseals the files. The push must not be expired.
   * @param ip of the client
   * @throws WrongPassphrase when it is protected and the passphrase is wrong
   * @throws UnsealError when the row was tampered with
   */
  async unseal(push: Push, passphrase: string | undefined, ip: string): Promise<UnsealedPush> {
    const { id, payload } = push;
    if (!payload) throw new UnsealError(`push ${id} has nothing to unseal`);

    const key = await this.unsealDataKey(push, passphrase, ip);
    return {
      payload: unseal(createSecretKey(key), payload, context(id, 'payload')).toString(),
      dataKey: key,
    };
  }

  /**
   * The key that seals the payload and the files.
   * @throws WrongPassphrase when it is protected and the passphrase is wrong
   * @throws UnsealError when the row was tampered with
   */
  async unsealDataKey(push: Push, passphrase: string | undefined, ip: string): Promise<Buffer> {
    const { id, dataKey, passphraseSalt } = push;
    if (!dataKey) throw new UnsealError(`push ${id} has nothing to unseal`);
    const inner = this.unwrapDataKey(push, dataKey);
    return passphraseSalt ? this.unsealWithPassphrase(id, inner, passphraseSalt, { passphrase, ip }) : inner;
  }

  /** The key that unseals the files; undefined when it takes a passphrase, after the end, and when the row is damaged. */
  dataKeyWithoutPassphrase(push: Push): Buffer | undefined {
    const { id, dataKey, passphraseSalt } = push;
    if (!dataKey || passphraseSalt) return undefined;
    return this.unreadableRows.readIfPossible(`push ${id}`, () => this.unwrapDataKey(push, dataKey));
  }

  private deriveKey(push: Push, purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.unwrapOwnerKey(push), push.id, purpose, KEY_BYTES));
  }

  private unwrapOwnerKey(push: WrappedKeys): Buffer {
    return this.unwrap(push, push.ownerKey, ownerKeyContext(push), 'ownerKey');
  }

  private unwrapDataKey(push: WrappedKeys, dataKey: Buffer): Buffer {
    return this.unwrap(push, dataKey, dataKeyContext(push), 'dataKey');
  }

  private unwrap(
    { id, masterKeyId }: WrappedKeys,
    wrapped: Buffer,
    keyContext: string,
    field: string,
  ): Buffer {
    try {
      return this.keyring.unseal({ masterKeyId, sealed: wrapped }, periodOf(id), keyContext);
    } catch (error) {
      // the log must contain neither the digest nor the account
      throw error instanceof UnsealError
        ? new UnsealError(`${context(id, field)} cannot be unsealed in this row`)
        : error;
    }
  }

  private async unsealWithPassphrase(
    id: string,
    inner: Buffer,
    salt: Buffer,
    { passphrase = '', ip }: { passphrase?: string; ip: string },
  ): Promise<Buffer> {
    if (this.passphrases.isTooLong(passphrase)) throw new WrongPassphrase();
    const key = await this.innerKey(id, passphrase, salt, 'retrieval', { ip });
    try {
      return unseal(key, inner, innerContext(id, salt));
    } catch (error) {
      // the outer layer was unsealed, so the inner one is unchanged and the passphrase is wrong
      throw error instanceof UnsealError ? new WrongPassphrase() : error;
    }
  }

  /** What wraps the data key of a protected push first. */
  private async innerKey(
    id: string,
    passphrase: string,
    salt: Buffer,
    purpose: 'creation' | 'retrieval',
    client: QueuedClient,
  ): Promise<KeyObject> {
    return isProofSalt(salt)
      ? proofKey(passphrase, salt, innerContext(id, salt))
      : this.passphrases.deriveKey(passphrase, salt, purpose, client);
  }
}

/** Stored when the owner's fields will never be read: nothing, so that nothing can leak. */
const NO_OWNER_FIELDS = {
  ownerKey: Buffer.alloc(0),
  urlToken: Buffer.alloc(0),
  recipients: null,
  ...ownerTexts(() => null),
};

function recipientsIn(text: string): string[] {
  return text === '' ? [] : (JSON.parse(text) as string[]);
}

function sealOwnerFields(
  row: BoundColumns,
  { urlToken = '', recipients, ...texts }: Partial<OwnerFields>,
  wrap: (key: Buffer, context: string) => Buffer,
): Pick<SealedColumns, 'ownerKey' | OwnerField> {
  const ownerKey = newKey();
  const key = createSecretKey(ownerKey);
  const sealed = (field: OwnerField, text: string) => seal(key, text, context(row.id, field));
  return {
    ownerKey: wrap(ownerKey, ownerKeyContext(row)),
    urlToken: sealed('urlToken', urlToken),
    recipients: recipients ? sealed('recipients', JSON.stringify(recipients)) : null,
    ...ownerTexts((name) => {
      const text = texts[name];
      return text === undefined ? null : sealed(name, text);
    }),
  };
}

/**
 * Where sealed bytes are stored. They cannot be unsealed anywhere else, so values cannot be moved between rows or
 * columns.
 */
function context(id: string, field: string): string {
  return `push/${id}/${field}`;
}

/**
 * Pushes created in the same 4.7 hours (2^24 ms) are wrapped by the same key, so that the keyring's cache contains it:
 * an id starts with its time in milliseconds, as 12 hexadecimal digits (RFC 9562, 5.7). With random nonces, one key may
 * be used for 2^32 wraps (NIST SP 800-38D, 8.3).
 */
function periodOf(id: string): string {
  return id.slice(0, 6);
}

/** Includes the owner, so that changing the account in the row of someone else's push makes unsealing fail. */
function ownerKeyContext({ id, userId }: BoundColumns): string {
  return `${context(id, 'ownerKey')}/${userId ?? 'nobody'}`;
}

/**
 * Includes the digest, so that putting the digest of another link into the row makes unsealing fail; and whether it is
 * wrapped by a proof, so that no other salt can turn one into a passphrase, or a passphrase into one.
 */
function dataKeyContext({
  id,
  tokenDigest,
  passphraseSalt,
}: Pick<WrappedKeys, 'id' | 'tokenDigest' | 'passphraseSalt'>): string {
  const ofDigest = `${context(id, 'dataKey')}/${tokenDigest}`;
  return passphraseSalt && isProofSalt(passphraseSalt) ? `${ofDigest}/proof` : ofDigest;
}

function innerContext(id: string, salt: Buffer): string {
  return context(id, isProofSalt(salt) ? 'proof' : 'passphrase');
}
