import { Entity, ForeignKey, Index } from 'typeorm';
import {
  DateTimeColumn,
  DigestColumn,
  ExactTextColumn,
  IdColumn,
  ReferenceColumn,
} from '../../platform/database/columns.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { MAX_EMAIL, User } from './user.entity.js';

/** How long a mailed link is valid, and what in the browser waits for it. */
export const EMAIL_LINK_MS = DAY_MS;

/**
 * A link that was sent to an email address: whoever opens it reads its mail. It creates an account with the email
 * address, or makes it the email address of an account. Only the digest of its token is stored.
 */
@Entity('email_links')
export class EmailLink {
  @IdColumn()
  id: string;

  /** As `User.normalizeEmail` returns it. */
  @Index()
  @ExactTextColumn(MAX_EMAIL)
  email: string;

  /** The account that asked for the email address; null for the link of a sign-up, whose account does not exist yet. */
  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn({ nullable: true })
  userId: string | null;

  @Index({ unique: true })
  @DigestColumn()
  digest: string;

  @Index()
  @DateTimeColumn()
  endsAt: Date;

  static endFor(now: Date): Date {
    return new Date(now.getTime() + EMAIL_LINK_MS);
  }
}
