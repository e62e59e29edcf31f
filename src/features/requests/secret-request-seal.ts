import { hash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/sealing/keyring.js';
import { SealsRows } from '../../platform/sealing/row-key-rotation.js';
import { UnreadableRows } from '../../platform/sealing/unreadable-rows.js';
import type { QueuedClient } from '../../platform/throttling/fair-queue.js';
import { Passphrases } from '../../pushes/push/passphrases.js';
import { SecretRequest } from './secret-request.entity.js';

/** What is sealed in the row of a request. */
export interface SecretRequestTexts {
  urlToken: string;
  /** What is asked. */
  request: string;
  name: string;
  note: string;
  /** The age recipient that answers are encrypted to; absent when the server encrypts them. */
  recipient?: string;
  /** Absent without a passphrase. */
  passphrase?: PassphraseCheck;
}

/** The salt of a passphrase, and the SHA-256 digest of the key that is derived with it; both in base64. */
interface PassphraseCheck {
  salt: string;
  digest: string;
}

type BoundColumns = Pick<SecretRequest, 'id' | 'userId' | 'tokenDigest'>;
type SealedColumns = Pick<SecretRequest, 'masterKeyId' | 'sealed'>;

/** Seals the texts of requests, bound to the row, its account and its link. */
@Injectable()
@SealsRows(SecretRequest)
export class SecretRequestSeal {
  constructor(
    private readonly keyring: Keyring,
    private readonly passphrases: Passphrases,
    private readonly unreadableRows: UnreadableRows,
  ) {}

  seal(texts: SecretRequestTexts, row: BoundColumns): SealedColumns {
    return this.keyring.seal(Buffer.from(JSON.stringify(texts)), scopeOf(row), contextOf(row));
  }

  /** @throws UnsealError when the row was tampered with */
  unseal({ masterKeyId, sealed, ...row }: BoundColumns & SealedColumns): SecretRequestTexts {
    const json = this.keyring.unseal({ masterKeyId, sealed }, scopeOf(row), contextOf(row));
    return JSON.parse(json.toString()) as SecretRequestTexts;
  }

  /** Undefined when it cannot be read, because the row is damaged. */
  unsealIfPossible(request: SecretRequest): SecretRequestTexts | undefined {
    return this.unreadableRows.readIfPossible(`request ${request.id}`, () => this.unseal(request));
  }

  async checkOf(passphrase: string, client: QueuedClient): Promise<PassphraseCheck> {
    const salt = this.passphrases.newSalt();
    return { salt: salt.toString('base64'), digest: await this.digest(passphrase, salt, 'creation', client) };
  }

  /** Compares in constant time. */
  async isPassphrase(passphrase: string, { salt, digest }: PassphraseCheck, ip: string): Promise<boolean> {
    if (this.passphrases.isTooLong(passphrase)) return false;
    const derived = await this.digest(passphrase, Buffer.from(salt, 'base64'), 'retrieval', { ip });
    return timingSafeEqual(Buffer.from(derived, 'base64'), Buffer.from(digest, 'base64'));
  }

  private async digest(
    passphrase: string,
    salt: Buffer,
    purpose: 'creation' | 'retrieval',
    client: QueuedClient,
  ): Promise<string> {
    const key = await this.passphrases.deriveKey(passphrase, salt, purpose, client);
    return hash('sha256', key.export(), 'base64');
  }
}

function scopeOf({ id }: BoundColumns): string {
  return `request/${id}`;
}

/** Includes account and digest, so that a row given to another account or link cannot be unsealed. */
function contextOf({ id, userId, tokenDigest }: BoundColumns): string {
  return `requests/${id}/${userId}/${tokenDigest}`;
}
