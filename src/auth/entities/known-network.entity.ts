import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { User } from './user.entity.js';

/** A client network from which somebody has signed in. */
@Entity('known_networks')
@Index(['network', 'seenAt'])
export class KnownNetwork {
  /** A digest of account and network, so that each is recorded once. */
  @PrimaryColumn('varchar', { length: 64 })
  id: string;

  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  /** An IPv4 address, or the /64 of an IPv6 one. */
  @Column('varchar', { length: 45 })
  network: string;

  /** Whether the second factor of the account was given there, too. */
  @Column('boolean', { default: false })
  withSecondFactor: boolean;

  /** When the account was last signed in to from there. */
  @Index()
  @DateTimeColumn()
  seenAt: Date;
}
