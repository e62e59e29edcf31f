import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/sealing/keyring.js';
import type { Authenticator } from '../entities/authenticator.entity.js';

type BoundColumns = Pick<Authenticator, 'id' | 'userId'>;
type SealedColumns = Pick<Authenticator, 'masterKeyId' | 'sealed'>;

/** Seals the secrets of authenticator apps, bound to the row and its account. */
@Injectable()
export class AuthenticatorSeal {
  constructor(private readonly keyring: Keyring) {}

  seal(secret: string, row: BoundColumns): SealedColumns {
    return this.keyring.seal(Buffer.from(secret), scopeOf(row), contextOf(row));
  }

  /** @throws UnsealError when the row was tampered with */
  unseal({ masterKeyId, sealed, ...row }: BoundColumns & SealedColumns): string {
    return this.keyring.unseal({ masterKeyId, sealed }, scopeOf(row), contextOf(row)).toString();
  }
}

function scopeOf({ id }: BoundColumns): string {
  return `authenticator/${id}`;
}

/** Includes the account, so that a row given to another account cannot be unsealed. */
function contextOf({ id, userId }: BoundColumns): string {
  return `authenticators/${id}/${userId}`;
}
