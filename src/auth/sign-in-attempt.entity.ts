import { Column, Entity, Index } from 'typeorm';
import { DigestColumn, IdColumn, MomentColumn } from '../database/columns.js';

/** A try at a password: wrong, or not yet known to be right. The account need not exist. */
@Entity('sign_in_attempts')
@Index(['account', 'attemptedAt'])
@Index(['address', 'attemptedAt'])
export class SignInAttempt {
  @IdColumn()
  id: string;

  /** A digest of the e-mail address: what people mistype there may be a password. */
  @DigestColumn()
  account: string;

  /** An IPv4 address, or the /64 of an IPv6 one. */
  @Column('varchar', { length: 45 })
  address: string;

  @Index()
  @MomentColumn()
  attemptedAt: Date;
}
