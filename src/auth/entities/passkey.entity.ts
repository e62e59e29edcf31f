import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  DateTimeColumn,
  DigestColumn,
  IdColumn,
  ReferenceColumn,
  SealedColumn,
} from '../../platform/database/columns.js';
import { User } from './user.entity.js';

export const MAX_PASSKEY_NAME = 60;

/** A passkey or security key of an account: a public key credential (Web Authentication Level 3, W3C). */
@Entity('passkeys')
@Index(['userId', 'id'])
export class Passkey {
  @IdColumn()
  id: string;

  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  /** Of the credential id, which is too long for an index. */
  @Index({ unique: true })
  @DigestColumn()
  digest: string;

  /** As the authenticator chose it, at most 1023 bytes. */
  @SealedColumn()
  credentialId: Buffer;

  /** In the format COSE_Key (RFC 9052). */
  @SealedColumn()
  publicKey: Buffer;

  /** How often the authenticator says that it was used; 0 if it does not count. */
  @Column({ type: 'bigint', transformer: { from: Number, to: (counter: number) => counter } })
  counter: number;

  /** How browsers reach the authenticator, separated by commas, such as `usb` or `internal`. */
  @Column('varchar', { length: 100 })
  transports: string;

  /** What its owner calls it. */
  @Column('varchar', { length: MAX_PASSKEY_NAME })
  name: string;

  @DateTimeColumn()
  createdAt: Date;

  @DateTimeColumn({ nullable: true })
  lastUsedAt: Date | null;

  /** When the challenge was made that was answered last: an answer to it or to an earlier one is refused. */
  @DateTimeColumn()
  challengedAt: Date;
}
