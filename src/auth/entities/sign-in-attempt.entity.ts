import { Entity, Index } from 'typeorm';
import { DigestColumn } from '../../platform/database/columns.js';
import { ClientAttempt } from '../../platform/limits/client-attempt.js';

/**
 * A sign-in attempt with a wrong password or still being checked, an attempt at the setup code or at a second factor of
 * the same kind, a sign-up, or a change of the email address that was rejected or is still being made. The account need
 * not exist.
 */
@Entity('sign_in_attempts')
@Index(['account', 'attemptedAt'])
@Index(['network', 'attemptedAt'])
@Index(['wideNetwork', 'attemptedAt'])
export class SignInAttempt extends ClientAttempt {
  /** A digest of the email address, because people sometimes type a password into that field. */
  @DigestColumn()
  account: string;
}
