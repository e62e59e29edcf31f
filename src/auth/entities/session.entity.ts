import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { DigestColumn, IdColumn, DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { User } from './user.entity.js';
import { DAY_MS, MINUTE_MS } from '../../platform/settings/units.js';

const MAX_IDLE_MS = DAY_MS;
const SEEN_ACCURACY_MS = 10 * MINUTE_MS;
/** Short enough that nobody finds a browser that was left, and long enough for several forms. */
const REAUTHENTICATION_MS = 10 * MINUTE_MS;

/** A signed-in browser. Only the digest of its cookie is stored. */
@Entity('sessions')
export class Session {
  @IdColumn()
  id: string;

  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  @Index({ unique: true })
  @DigestColumn()
  digest: string;

  @DateTimeColumn()
  createdAt: Date;

  /** Accurate to ten minutes, so that not every request writes it. */
  @Index()
  @DateTimeColumn()
  lastSeenAt: Date;

  /** When the session ends even if it is in use. */
  @Index()
  @DateTimeColumn()
  endsAt: Date;

  /** When whoever uses it last gave the password or a second factor; null for one from before this was recorded. */
  @DateTimeColumn({ nullable: true })
  provenAt: Date | null;

  /** The `User-Agent` header of the sign-in; null for a session from before it was recorded, as the next one. */
  @Column('varchar', { length: 255, nullable: true })
  userAgent: string | null;

  /** The client address of the sign-in. */
  @Column('varchar', { length: 45, nullable: true })
  ip: string | null;

  /** The identity at a provider of OpenID Connect that it began with, of the same account; null if it began here. */
  @ReferenceColumn({ nullable: true })
  identityId: string | null;

  /** Of the id of the provider's own session, if it has told one. */
  @Index()
  @DigestColumn({ nullable: true })
  providerSession: string | null;

  /** @param days SESSION_DAYS */
  static endOf(now: Date, days: number): Date {
    return new Date(now.getTime() + days * DAY_MS);
  }

  /** Sessions last seen before this time have ended. */
  static idleSince(now: Date): Date {
    return new Date(now.getTime() - MAX_IDLE_MS);
  }

  hasEnded(now: Date): boolean {
    return this.endsAt <= now || this.lastSeenAt <= Session.idleSince(now);
  }

  /** Whether it may change what matters to the account without another password or second factor. */
  isProven(now: Date): boolean {
    return this.provenAt !== null && Session.isRecent(this.provenAt, now);
  }

  /** Since when and until when that is so. */
  proven(now: Date): { at: Date; until: Date } | undefined {
    const { provenAt: at } = this;
    return at && this.isProven(now) ? { at, until: new Date(at.getTime() + REAUTHENTICATION_MS) } : undefined;
  }

  /** Whether a password or second factor given at that time still counts. */
  static isRecent(provenAt: Date, now = new Date()): boolean {
    return Math.abs(now.getTime() - provenAt.getTime()) < REAUTHENTICATION_MS;
  }

  /** Whether `lastSeenAt` differs enough to be updated; it is after now when the clock was ahead. */
  shouldRecordSeen(now: Date): boolean {
    return Math.abs(now.getTime() - this.lastSeenAt.getTime()) > SEEN_ACCURACY_MS;
  }

  /** What changes in its row when it is used. */
  seen(now: Date, days: number): Pick<Session, 'lastSeenAt' | 'endsAt'> {
    const latestEnd = Session.endOf(now, days);
    return { lastSeenAt: now, endsAt: this.endsAt < latestEnd ? this.endsAt : latestEnd };
  }
}
