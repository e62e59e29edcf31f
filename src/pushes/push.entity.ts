import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../auth/user.entity.js';
import {
  DigestColumn,
  IdColumn,
  LongSealedColumn,
  MomentColumn,
  ReferenceColumn,
  SealedColumn,
} from '../database/columns.js';
import { MasterKey } from '../sealing/master-key.entity.js';
import type { PushKind } from './push-kind.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a rule wants changed in a push. */
export type PushChange = Partial<
  Pick<
    Push,
    | 'viewsCounted'
    | 'ownerViewsAudited'
    | 'expiredOn'
    | 'updatedAt'
    | 'deleted'
    | 'payload'
    | 'dataKey'
    | 'passphraseSalt'
  >
>;

/** How many audit entries a push may have of failures together, and of views by its owner that do not count. */
export const MAX_AUDITED = 2000;

/** What goes for good when a push ends: afterwards nothing opens it, not even with the passphrase and the master key. */
export const SHREDDED = { payload: null, dataKey: null, passphraseSalt: null };

/** Where the engine has indexes of a part (SQLite), those without an owner are not in these. */
const OWNED = { where: 'user_id IS NOT NULL' };

/**
 * A secret that may be retrieved a few times, for a few days.
 * Its rules answer with the change they ask for and leave the push as it is, so that the unit of work that makes
 * the change may run again.
 */
@Entity('pushes')
@Index('pushes_of_owner', ['userId', 'id', 'expiredOn', 'expiresAt'], OWNED) // by name: TypeORM's own names forget the order
@Index('pushes_of_owner_by_end', ['userId', 'expiredOn', 'id', 'expiresAt'], OWNED)
@Index(['expiredOn', 'expiresAt'])
@Index(['masterKeyId', 'id'])
export class Push {
  @IdColumn()
  id: string;

  @Index({ unique: true })
  @DigestColumn()
  tokenDigest: string;

  @Column('varchar', { length: 8 })
  kind: PushKind;

  /** The owner; null when it was made without an account. */
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn({ nullable: true })
  userId: string | null;

  /** Which master key wraps the two keys below; it cannot be forgotten while a push names it. */
  @ForeignKey(() => MasterKey, { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' })
  @Column('varchar', { length: 16 })
  masterKeyId: string;

  /** Opens what the owner may read without the passphrase and after the end; empty where there is nobody to read it. */
  @SealedColumn()
  ownerKey: Buffer;

  /** Sealed with the owner key, for the owner's lists; empty as that is. */
  @SealedColumn()
  urlToken: Buffer;

  @SealedColumn({ nullable: true })
  name: Buffer | null;

  @SealedColumn({ nullable: true })
  note: Buffer | null;

  /** Opens the payload; null once expired. */
  @SealedColumn({ nullable: true })
  dataKey: Buffer | null;

  /** Up to megabytes, so it comes only where it is asked for by name. */
  @LongSealedColumn({ nullable: true, select: false })
  payload: Buffer | null;

  /** Null when there is no passphrase, and once expired. */
  @SealedColumn({ nullable: true })
  passphraseSalt: Buffer | null;

  @Column('integer')
  expireAfterDays: number;

  @Column('integer')
  expireAfterViews: number;

  @Column('boolean')
  deletableByViewer: boolean;

  @Column('boolean')
  retrievalStep: boolean;

  @Column('integer')
  viewsCounted: number;

  @MomentColumn()
  createdAt: Date;

  @MomentColumn()
  updatedAt: Date;

  /** When age ends it, if nothing else does before. */
  @MomentColumn()
  expiresAt: Date;

  /** When it ended. Null in the row for a while after age has ended it, until the schedule comes by. */
  @MomentColumn({ nullable: true })
  expiredOn: Date | null;

  /** Whether someone ended it, rather than a limit. */
  @Column('boolean')
  deleted: boolean;

  /** How many audit entries tell of failures, and of the owner's uncounted views: both have a bound. */
  @Column('integer')
  failuresAudited: number;

  @Column('integer')
  ownerViewsAudited: number;

  /** How many passphrases were tried in all. Counting up is also what makes attempts take turns on every engine. */
  @Column('integer')
  passphraseAttempts: number;

  /** So that a push without files is never asked for them. */
  @Column('integer')
  filesCount: number;

  /** Incremented by each view, end and delete, so that none is based on a push that has changed since it was read. */
  @Column('integer', { default: 0 })
  version: number;

  isExpired(now: Date): boolean {
    return this.expiredOn !== null || this.isOverdue(now);
  }

  /** Past its day limit; nobody need have noticed. */
  isOverdue(now: Date): boolean {
    return this.expiresAt <= now;
  }

  isProtected(now: Date): boolean {
    return this.passphraseSalt !== null && !this.isExpired(now);
  }

  /** Nobody owns a push without an owner. */
  isOwnedBy(userId: string | undefined): boolean {
    return userId !== undefined && this.userId === userId;
  }

  mayBeDeletedBy(userId: string | undefined): boolean {
    return this.deletableByViewer || this.isOwnedBy(userId);
  }

  /** When it ended, noticed or not. */
  endedOn(now: Date): Date | null {
    return this.expiredOn ?? (this.isOverdue(now) ? this.expiresAt : null);
  }

  /** When it was made, viewed or ended last. */
  lastChangedOn(now: Date): Date {
    return this.expiredOn === null && this.isOverdue(now) ? this.expiresAt : this.updatedAt;
  }

  /** Whole days left by the clock alone, rounded up. */
  daysRemaining(now: Date): number {
    return Math.max(0, Math.ceil((this.expiresAt.getTime() - now.getTime()) / DAY_MS));
  }

  viewsRemaining(): number {
    return Math.max(0, this.expireAfterViews - this.viewsCounted);
  }

  /** One view more, the last of which ends it; undefined when there is none left. */
  view(now: Date): PushChange | undefined {
    if (this.isExpired(now)) return undefined;

    const viewsCounted = this.viewsCounted + 1;
    const isLast = viewsCounted >= this.expireAfterViews;
    return { viewsCounted, updatedAt: now, ...(isLast && { expiredOn: now, ...SHREDDED }) };
  }

  /** A view by its owner where those do not count: audited as long as there is room; undefined when it has ended. */
  viewByOwner(now: Date): PushChange | undefined {
    if (this.isExpired(now)) return undefined;
    return { ownerViewsAudited: Math.min(this.ownerViewsAudited + 1, MAX_AUDITED) };
  }

  /** Ends it at someone's wish; undefined when that has been done. One that a limit had ended keeps its end. */
  delete(now: Date): PushChange | undefined {
    if (this.deleted) return undefined;

    const endedOn = this.endedOn(now);
    return {
      deleted: true,
      expiredOn: endedOn ?? now,
      updatedAt: endedOn ? this.lastChangedOn(now) : now,
      ...SHREDDED,
    };
  }
}
