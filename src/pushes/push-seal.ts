import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newKey, open, seal, SealBroken } from '../sealing/box.js';
import { Keyring } from '../sealing/keyring.js';
import { Passphrases } from '../sealing/passphrases.js';
import type { Push } from './push.entity.js';
import type { PushTerms } from './push-terms.js';

/** The columns of a push that are sealed, and what it takes to open them. */
export type SealedColumns = Pick<
  Push,
  'masterKeyId' | 'ownerKey' | 'urlToken' | 'name' | 'note' | 'dataKey' | 'payload' | 'passphraseSalt'
>;

/** What the owner may read at any time. */
export interface OwnersFields {
  urlToken: string;
  name: string;
  note: string;
}

/** What only a retrieval may see. */
export interface OpenedPush {
  payload: string;
  dataKey: Buffer;
}

/** The passphrase is not the one the push was made with. */
export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
}

/** Seals and opens what a push holds. docs/security.md tells what is sealed by what. */
@Injectable()
export class PushSeal {
  constructor(
    private readonly keyring: Keyring,
    private readonly passphrases: Passphrases,
  ) {}

  /** @param dataKey seals the payload, as it has sealed the files of the push */
  async seal(id: string, urlToken: string, terms: PushTerms, dataKey: KeyObject): Promise<SealedColumns> {
    const ownerKey = newKey();
    const passphraseSalt = terms.passphrase === undefined ? null : this.passphrases.newSalt();
    const owners = (field: keyof OwnersFields, text: string | undefined) =>
      text === undefined ? null : seal(ownerKey, text, place(id, field));

    const wrap = this.keyring.wrapperFor(id);
    const inner = passphraseSalt
      ? seal(
          await this.passphraseKey(terms.passphrase, passphraseSalt),
          dataKey.export(),
          place(id, 'passphrase'),
        )
      : dataKey.export();
    return {
      masterKeyId: this.keyring.current,
      ownerKey: wrap(ownerKey.export(), place(id, 'ownerKey')),
      urlToken: seal(ownerKey, urlToken, place(id, 'urlToken')),
      name: owners('name', terms.name),
      note: owners('note', terms.note),
      dataKey: wrap(inner, place(id, 'dataKey')),
      payload: seal(dataKey, terms.payload, place(id, 'payload')),
      passphraseSalt,
    };
  }

  /**
   * The same keys, wrapped by the current master key. What a passphrase wraps stays inside, unopened.
   * @throws SealBroken when the row was tampered with
   */
  rewrap({
    id,
    masterKeyId,
    ownerKey,
    dataKey,
  }: Push): Pick<SealedColumns, 'masterKeyId' | 'ownerKey' | 'dataKey'> {
    const again = (wrapped: Buffer, field: string) =>
      this.keyring.wrap(
        this.keyring.unwrap({ masterKeyId, wrapped }, id, place(id, field)),
        id,
        place(id, field),
      ).wrapped;
    return {
      masterKeyId: this.keyring.current,
      ownerKey: again(ownerKey, 'ownerKey'),
      dataKey: dataKey && again(dataKey, 'dataKey'),
    };
  }

  /** @throws SealBroken when the row was tampered with */
  openOwnersFields(push: Push): OwnersFields {
    const { id, masterKeyId, ownerKey } = push;
    const key = createSecretKey(
      this.keyring.unwrap({ masterKeyId, wrapped: ownerKey }, id, place(id, 'ownerKey')),
    );
    const text = (field: keyof OwnersFields) => {
      const sealed = push[field];
      return sealed ? open(key, sealed, place(id, field)).toString() : '';
    };
    return { urlToken: text('urlToken'), name: text('name'), note: text('note') };
  }

  /**
   * The secret, and the key that opens the files. The push must not be expired.
   * @throws WrongPassphrase when it is protected and the passphrase does not fit
   * @throws SealBroken when the row was tampered with
   */
  async open(push: Push, passphrase: string | undefined): Promise<OpenedPush> {
    const { id, masterKeyId, dataKey, passphraseSalt, payload } = push;
    if (!dataKey || !payload) throw new SealBroken(`push ${id} has nothing to open`);

    const inner = this.keyring.unwrap({ masterKeyId, wrapped: dataKey }, id, place(id, 'dataKey'));
    const key = passphraseSalt ? await this.unlock(id, inner, passphrase, passphraseSalt) : inner;
    return { payload: open(createSecretKey(key), payload, place(id, 'payload')).toString(), dataKey: key };
  }

  private async unlock(
    id: string,
    inner: Buffer,
    passphrase: string | undefined,
    salt: Buffer,
  ): Promise<Buffer> {
    const key = await this.passphraseKey(passphrase, salt);
    try {
      return open(key, inner, place(id, 'passphrase'));
    } catch (error) {
      // the outer wrap was whole, so nobody changed the inner one: it is the passphrase that does not fit
      throw error instanceof SealBroken ? new WrongPassphrase() : error;
    }
  }

  private passphraseKey(passphrase = '', salt: Buffer): Promise<KeyObject> {
    return this.passphrases.deriveKey(passphrase, salt);
  }
}

/** Where sealed bytes lie. They open nowhere else, so rows and columns cannot be swapped. */
function place(id: string, field: string): string {
  return `push/${id}/${field}`;
}
