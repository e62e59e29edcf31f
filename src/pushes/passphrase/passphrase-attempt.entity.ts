import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { Push } from '../push/push.entity.js';

/** A passphrase attempt that was wrong or is still being checked. Correct ones are deleted. */
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
  network: string;

  /** The /48 of an IPv6 address; null for IPv4. */
  @Column('varchar', { length: 45, nullable: true })
  wideNetwork: string | null;

  @Index()
  @DateTimeColumn()
  attemptedAt: Date;

  /** Null once it is known to be wrong. Counts as wrong if it is still pending at this time: its process has died. */
  @DateTimeColumn({ nullable: true })
  pendingUntil: Date | null;
}
