import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DateTimeColumn, DigestColumn } from '../../platform/database/columns.js';
import { User } from './user.entity.js';
import { DAY_MS, HOUR_MS } from '../../platform/settings/units.js';

const INVITATION_MS = 3 * DAY_MS;
const NEW_PASSWORD_MS = HOUR_MS;

/** A link by which the owner of an account sets its password, once. Only the digest of its token is stored. */
@Entity('password_links')
export class PasswordLink {
  /** An account has one link at most: a new one replaces it. */
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @PrimaryColumn('varchar', { length: 36 })
  userId: string;

  @Index({ unique: true })
  @DigestColumn()
  digest: string;

  @Index()
  @DateTimeColumn()
  endsAt: Date;

  /** When a link that is created now ends at the latest. */
  static latestEnd(now: Date): Date {
    return new Date(now.getTime() + INVITATION_MS);
  }

  /** An invitation may wait for some days; whoever asked for a new password is waiting for the link. */
  static endFor({ passwordHash }: User, now: Date): Date {
    return new Date(now.getTime() + (passwordHash === null ? INVITATION_MS : NEW_PASSWORD_MS));
  }
}
