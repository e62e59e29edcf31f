import { Column, Entity, Index } from 'typeorm';
import { DigestColumn, IdColumn, DateTimeColumn } from '../../platform/database/columns.js';

/**
 * A sign-in attempt with a wrong password or still being checked, an attempt at the setup code of the same kind, a
 * sign-up, or a change of the email address that was rejected or is still being made. The account need not exist.
 */
@Entity('sign_in_attempts')
@Index(['account', 'attemptedAt'])
@Index(['network', 'attemptedAt'])
@Index(['wideNetwork', 'attemptedAt'])
export class SignInAttempt {
  @IdColumn()
  id: string;

  /** A digest of the email address, because people sometimes type a password into that field. */
  @DigestColumn()
  account: string;

  /** An IPv4 address, or the /64 of an IPv6 one. */
  @Column('varchar', { length: 45 })
  network: string;

  /** The /48 of an IPv6 address; null for IPv4. */
  @Column('varchar', { length: 45, nullable: true })
  wideNetwork: string | null;

  @Index()
  @DateTimeColumn()
  attemptedAt: Date;
}
