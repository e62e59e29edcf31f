import { Entity, ForeignKey, Index } from 'typeorm';
import { DigestColumn, IdColumn, MomentColumn, ReferenceColumn } from '../database/columns.js';
import { User } from './user.entity.js';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const LONGEST_IDLE_MS = DAY_MS;
const LONGEST_MS = 14 * DAY_MS;
const SEEN_IS_KEPT_TO_MS = 10 * MINUTE_MS;

/** A browser that someone has signed in with. Only the digest of its cookie is stored. */
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

  @MomentColumn()
  createdAt: Date;

  /** To ten minutes, so that reading does not mean writing. */
  @Index()
  @MomentColumn()
  lastSeenAt: Date;

  /** When it ends however busy it is. */
  @Index()
  @MomentColumn()
  endsAt: Date;

  static endOf(now: Date): Date {
    return new Date(now.getTime() + LONGEST_MS);
  }

  /** Sessions that were seen last before this have ended. */
  static idleSince(now: Date): Date {
    return new Date(now.getTime() - LONGEST_IDLE_MS);
  }

  hasEnded(now: Date): boolean {
    return this.endsAt <= now || this.lastSeenAt <= Session.idleSince(now);
  }

  /** Whether being seen now is worth writing down. */
  isSightNews(now: Date): boolean {
    return now.getTime() - this.lastSeenAt.getTime() > SEEN_IS_KEPT_TO_MS;
  }
}
