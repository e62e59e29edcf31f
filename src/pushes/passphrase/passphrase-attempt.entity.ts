import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, MomentColumn, ReferenceColumn } from '../../database/columns.js';
import { Push } from '../push.entity.js';

/** An attempt at a passphrase that was wrong, or is still being checked. Right ones are deleted. */
@Entity('passphrase_attempts')
@Index(['pushId', 'attemptedAt'])
export class PassphraseAttempt {
  @IdColumn()
  id: string;

  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  pushId: string;

  /** An IPv4 address, or the /64 of an IPv6 one. */
  @Column('varchar', { length: 45 })
  address: string;

  /** The /48 of an IPv6 address; null for IPv4, and in rows of former versions. */
  @Column('varchar', { length: 45, nullable: true })
  wideNetwork: string | null;

  @Index()
  @MomentColumn()
  attemptedAt: Date;

  /** Null once it is known to be wrong. An attempt that is still pending at this time counts as wrong: its process died. */
  @MomentColumn({ nullable: true })
  pendingUntil: Date | null;
}
