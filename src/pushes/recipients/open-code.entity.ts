import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { DateTimeColumn, DigestColumn, IdColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { MINUTE_MS } from '../../platform/settings/units.js';
import { Push } from '../push/push.entity.js';

/** How long a code is valid, from when it was asked for. */
export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
/** How often a code may be entered, right or wrong. */
export const CODE_TRIES = 5;

/** The code that an email address was last sent to open a push. It is deleted when it is used. */
@Entity('open_codes')
@Index(['pushId', 'addressDigest'], { unique: true })
export class OpenCode {
  @IdColumn()
  id: string;

  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  pushId: string;

  /** Keyed, like the next one: see `PushSeal.keyedDigest`. */
  @DigestColumn()
  addressDigest: string;

  /** Of the code, and of the browser that asked for it. */
  @DigestColumn()
  codeDigest: string;

  @Column('integer')
  triesLeft: number;

  @Index()
  @DateTimeColumn()
  expiresAt: Date;
}
