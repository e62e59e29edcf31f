import { Injectable } from '@nestjs/common';
import { SealsRows } from '../../platform/sealing/row-key-rotation.js';
import { RowSeal } from '../../platform/sealing/row-seal.js';
import { Authenticator } from '../entities/authenticator.entity.js';
import { RecoveryKey } from '../entities/recovery-key.entity.js';
import type { ImportedRecoveryCodes } from './recovery-codes.js';

type BoundColumns = Pick<Authenticator | RecoveryKey, 'id' | 'userId'>;

/** Seals the secrets of authenticator apps, bound to the account. */
@Injectable()
@SealsRows(Authenticator)
export class AuthenticatorSeal extends RowSeal<string, BoundColumns> {
  protected readonly kind = 'authenticator';

  protected contextOf({ id, userId }: BoundColumns): string {
    return `authenticators/${id}/${userId}`;
  }

  protected override toText(secret: string): string {
    return secret;
  }

  protected override fromText(secret: string): string {
    return secret;
  }
}

/** Seals the keys of imported recovery codes, bound to the account. */
@Injectable()
@SealsRows(RecoveryKey)
export class RecoveryKeySeal extends RowSeal<Omit<ImportedRecoveryCodes, 'digests'>, BoundColumns> {
  protected readonly kind = 'recovery_key';

  protected contextOf({ id, userId }: BoundColumns): string {
    return `recovery_keys/${id}/${userId}`;
  }
}
