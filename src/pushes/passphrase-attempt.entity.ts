import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, MomentColumn, ReferenceColumn } from '../database/columns.js';
import { Push } from './push.entity.js';

/** A try at a passphrase: wrong, or not yet known to be right. */
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

  @Index()
  @MomentColumn()
  attemptedAt: Date;
}
