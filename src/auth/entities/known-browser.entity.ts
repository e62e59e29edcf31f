import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { User } from './user.entity.js';

/** A browser in which an account was signed in to. It has a cookie of its own, which outlives sessions. */
@Entity('known_browsers')
export class KnownBrowser {
  /** A digest of account and cookie. */
  @PrimaryColumn('varchar', { length: 64 })
  id: string;

  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  @DateTimeColumn()
  createdAt: Date;

  /** When the account was last signed in to with it. */
  @Index()
  @DateTimeColumn()
  seenAt: Date;
}
