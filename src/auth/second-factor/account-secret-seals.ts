import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/sealing/keyring.js';
import { SealsRows } from '../../platform/sealing/row-key-rotation.js';
import { Authenticator } from '../entities/authenticator.entity.js';
import { RecoveryKey } from '../entities/recovery-key.entity.js';

type BoundColumns = Pick<Authenticator, 'id' | 'userId'>;
type SealedColumns = Pick<Authenticator, 'masterKeyId' | 'sealed'>;

/** Seals a secret of an account, bound to its row and to the account: a row given to another one cannot be unsealed. */
@Injectable() // its constructor is that of the others
abstract class AccountSecretSeal {
  /** In the singular, as the scope of keys has it. The context has the name of the table. */
  protected abstract readonly kind: string;

  constructor(private readonly keyring: Keyring) {}

  seal(secret: string, row: BoundColumns): SealedColumns {
    return this.keyring.seal(Buffer.from(secret), this.scopeOf(row), this.contextOf(row));
  }

  /** @throws UnsealError when the row was tampered with */
  unseal({ masterKeyId, sealed, ...row }: BoundColumns & SealedColumns): string {
    return this.keyring.unseal({ masterKeyId, sealed }, this.scopeOf(row), this.contextOf(row)).toString();
  }

  private scopeOf({ id }: BoundColumns): string {
    return `${this.kind}/${id}`;
  }

  private contextOf({ id, userId }: BoundColumns): string {
    return `${this.kind}s/${id}/${userId}`;
  }
}

/** Seals the secrets of authenticator apps. */
@Injectable()
@SealsRows(Authenticator)
export class AuthenticatorSeal extends AccountSecretSeal {
  protected readonly kind = 'authenticator';
}

/** Seals the keys of imported recovery codes. */
@Injectable()
@SealsRows(RecoveryKey)
export class RecoveryKeySeal extends AccountSecretSeal {
  protected readonly kind = 'recovery_key';
}
