import { Injectable } from '@nestjs/common';
import { SealsRows } from '../../platform/sealing/row-key-rotation.js';
import { RowSeal } from '../../platform/sealing/row-seal.js';
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
export interface PassphraseCheck {
  salt: string;
  digest: string;
}

type BoundColumns = Pick<SecretRequest, 'id' | 'userId' | 'tokenDigest'>;

/** Seals the texts of requests, bound to the account and the link. */
@Injectable()
@SealsRows(SecretRequest)
export class SecretRequestSeal extends RowSeal<SecretRequestTexts, BoundColumns> {
  protected readonly kind = 'request';

  protected contextOf({ id, userId, tokenDigest }: BoundColumns): string {
    return `requests/${id}/${userId}/${tokenDigest}`;
  }
}
