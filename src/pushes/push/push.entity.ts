import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { MAX_AUDITED } from '../../audit/audit-entry.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import {
  DigestColumn,
  IdColumn,
  LongSealedColumn,
  DateTimeColumn,
  ReferenceColumn,
  SealedColumn,
} from '../../platform/database/columns.js';
import { wasUnreadable } from '../../platform/database/engine/readable-moment.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';
import type { PushKind } from '../../shared/push-kind.js';
import { isWithin, parseNetworks } from '../../platform/settings/networks.js';
import { DAY_MS, HOUR_MS } from '../../platform/settings/units.js';
import { isProofSalt } from './proofs.js';
import type { NoticeBits, NoticeEvent } from './notice-events.js';
import { hasNotice, noticeBits, noticeEvents } from './notice-events.js';

/** The columns of a push that a rule changes. */
export type PushChange = Partial<
  Pick<
    Push,
    | 'expireAfterDays'
    | 'expireAfterViews'
    | 'expiresAt'
    | 'viewsCounted'
    | 'lastViewedAt'
    | 'ownerViewsAudited'
    | 'expiredOn'
    | 'ended'
    | 'updatedAt'
    | 'deleted'
    | 'payload'
    | 'dataKey'
    | 'passphraseSalt'
    | 'notifyOn'
    | 'ownerOnly'
    | 'recipients'
  >
>;

/** The texts that only the owner may read: sealed columns, and fields of the API with the same names. */
export const OWNER_TEXTS = ['name', 'note'] as const;

export type OwnerText = (typeof OWNER_TEXTS)[number];

/** A value for each text of the owner. */
export function ownerTexts<Value>(valueOf: (name: OwnerText) => Value): Record<OwnerText, Value> {
  return Object.fromEntries(OWNER_TEXTS.map((name) => [name, valueOf(name)])) as Record<OwnerText, Value>;
}

/** Why a push that has not ended is not shown: to this client, or to nobody before that time. */
export type OpeningRefusal = { reason: 'network' } | { reason: 'not yet'; opensAt: Date };

/** Limits of a push that its owner wants to be lower. */
export interface LowerLimits {
  /** In all, also those that are counted already. */
  views?: number;
  end?: Date;
}

/** The columns of a push. */
export type PushColumns = {
  [Name in keyof Push as Push[Name] extends (...args: never[]) => unknown ? never : Name]: Push[Name];
};

/** The columns that whoever creates a push decides. A column that the service sets must be listed here. */
export type ChosenColumns = Omit<
  PushColumns,
  | OwnerText
  | 'id'
  | 'tokenDigest'
  | 'userId'
  | 'masterKeyId'
  | 'ownerKey'
  | 'urlToken'
  | 'recipients'
  | 'dataKey'
  | 'payload'
  | 'passphraseSalt'
  | 'viewsCounted'
  | 'lastViewedAt'
  | 'createdAt'
  | 'updatedAt'
  | 'expiresAt'
  | 'expiredOn'
  | 'ended'
  | 'deleted'
  | 'failuresAudited'
  | 'ownerViewsAudited'
  | 'passphraseAttempts'
  | 'passphraseNoticeAt'
  | 'filesCount'
  | 'version'
>;

/** What another service has recorded about a push. */
export interface RecordedElsewhere {
  /** How many views there are not counted here yet. */
  views: number;
  lastViewedAt: Date | null;
  /** Null when it has not ended there. */
  endedOn: Date | null;
  deleted: boolean;
}

/** What each end of a push sets with its time: after that, not even the passphrase and the master key can unseal it. */
export const ENDED = { ended: true, payload: null, dataKey: null, passphraseSalt: null };

/** The events that cannot occur any more after the first view by somebody else. */
const OF_FIRST_VIEW = noticeBits(['first_view', 'ended_unseen']);

/** Excludes pushes without an owner from an index, on engines with partial indexes (SQLite). */
const OWNED = { where: 'user_id IS NOT NULL' };

/**
 * A secret that may be retrieved a limited number of times, for a limited number of days.
 * Its rules return the change to make and leave the object unmodified, so that the transaction that makes the change
 * can be retried.
 */
@Entity('pushes')
@Index('pushes_of_owner_by_id', ['userId', 'id'], OWNED) // TypeORM's names ignore the order
@Index('pushes_of_owner_in_list', ['userId', 'ended', 'id', 'expiresAt'], OWNED)
@Index('pushes_of_owner_by_limit', ['userId', 'ended', 'expiresAt', 'id'], OWNED)
@Index('pushes_of_owner_by_end', ['userId', 'expiredOn', 'id', 'expiresAt']) // the purge finds those without an owner by it
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

  /** The owner; null when it was created without an account. */
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn({ nullable: true })
  userId: string | null;

  /** The master key that wraps the two keys below; it cannot be deleted while a push refers to it. */
  @ForeignKey(() => MasterKey, { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' })
  @Column('varchar', { length: 16 })
  masterKeyId: string;

  /** Unseals what the owner may read without the passphrase and after the end; empty when there is no such reader. */
  @SealedColumn()
  ownerKey: Buffer;

  /** Sealed with the owner key, for the owner's lists; empty when the owner key is. */
  @SealedColumn()
  urlToken: Buffer;

  @SealedColumn({ nullable: true })
  name: Buffer | null;

  @SealedColumn({ nullable: true })
  note: Buffer | null;

  /** Who may open it, besides its owner, sealed with the owner key; null when whoever has its link may. */
  @SealedColumn({ nullable: true })
  recipients: Buffer | null;

  /** Unseals the payload; null once expired. */
  @SealedColumn({ nullable: true })
  dataKey: Buffer | null;

  /** Up to megabytes, so it is only loaded when it is selected explicitly. */
  @LongSealedColumn({ nullable: true, select: false })
  payload: Buffer | null;

  /** Null when there is no passphrase, and once expired. */
  @SealedColumn({ nullable: true })
  passphraseSalt: Buffer | null;

  @Column('integer')
  expireAfterDays: number;

  @Column('integer')
  expireAfterViews: number;

  /** The hours after the first view in which it ends, unless another limit ends it earlier; null for no such limit. */
  @Column('integer', { nullable: true })
  expireAfterFirstView: number | null;

  /** When it can be opened, which nobody can before; null for immediately. */
  @DateTimeColumn({ nullable: true })
  opensAt: Date | null;

  /** From which networks it can be opened (`networkText`); null for all. */
  @Column('simple-array', { nullable: true })
  allowedNetworks: string[] | null;

  @Column('boolean')
  deletableByViewer: boolean;

  @Column('boolean')
  retrievalStep: boolean;

  /** Whether its client has encrypted payload and files with a key that only its link contains (docs/end-to-end.md). */
  @Column('boolean', { default: false })
  clientEncrypted: boolean;

  /** Whether it exists for its owner alone: nobody else can open it, and the owner's views do not count. */
  @Column('boolean', { default: false })
  ownerOnly: boolean;

  /** Whether the page of its link says the email address of its owner, who created it on a page and chose that. */
  @Column('boolean', { default: false })
  namesSender: boolean;

  /** Whether the page of its link says nothing about its kind and its files before it is opened. */
  @Column('boolean', { default: false })
  hidesContents: boolean;

  /** Whether each of its recipients may open it only once. */
  @Column('boolean', { default: false })
  oncePerRecipient: boolean;

  @Column('integer')
  viewsCounted: number;

  /** When the last view was counted; null without one. */
  @DateTimeColumn({ nullable: true })
  lastViewedAt: Date | null;

  @DateTimeColumn()
  createdAt: Date;

  @DateTimeColumn()
  updatedAt: Date;

  /** When its time limit ends it, unless it ends earlier. The first view, and its owner, can make it earlier. */
  @DateTimeColumn()
  expiresAt: Date;

  /** When it ended. After the time limit it stays null until the schedule has run. */
  @DateTimeColumn({ nullable: true })
  expiredOn: Date | null;

  /** Whether `expiredOn` is set: an index with this, but not with a range of times, has them in the order of the list. */
  @Column('boolean', { default: false })
  ended: boolean;

  /** Whether it was ended by a request, not by a limit. */
  @Column('boolean')
  deleted: boolean;

  /** How many audit entries record failures; this and the next counter are limited to `MAX_AUDITED`. */
  @Column('integer')
  failuresAudited: number;

  @Column('integer')
  ownerViewsAudited: number;

  /** How many passphrases were tried in total. The increment also serializes attempts on every engine. */
  @Column('integer')
  passphraseAttempts: number;

  /** About which events its owner gets a mail. An event that occurs once is removed when it occurs. */
  @Column('integer', { default: 0 })
  notifyOn: NoticeBits;

  /** When a mail about a wrong passphrase was last added. */
  @DateTimeColumn({ nullable: true })
  passphraseNoticeAt: Date | null;

  /** How many files it has; stored so that the files table is not queried for a push without files. */
  @Column('integer')
  filesCount: number;

  /** Incremented by each view, end and delete, so that none is based on an outdated copy of the row. */
  @Column('integer', { default: 0 })
  version: number;

  isExpired(now: Date): boolean {
    return this.expiredOn !== null || this.isOverdue(now);
  }

  /** Past its time limit, whether or not `expiredOn` is set yet. */
  isOverdue(now: Date): boolean {
    return this.expiresAt <= now;
  }

  isProtected(now: Date): boolean {
    return this.passphraseSalt !== null && !this.isExpired(now);
  }

  /**
   * Whether a proof is checked before its attempt is counted, so that a right one needs no transaction for that: only
   * until an attempt was counted. Whoever has a link that needs a passphrase as well can guess its proof.
   */
  checksProofFirst(): boolean {
    return this.passphraseAttempts === 0 && this.passphraseSalt !== null && isProofSalt(this.passphraseSalt);
  }

  /** False for every user when the push has no owner. */
  isOwnedBy(userId: string | undefined): boolean {
    return userId !== undefined && this.userId === userId;
  }

  /** Whether a visitor is told that it does not exist. */
  isHiddenFrom(userId: string | undefined): boolean {
    return this.ownerOnly && !this.isOwnedBy(userId);
  }

  /** Whether a visitor must prove by a code to be one of its recipients. */
  needsCodeOf(userId: string | undefined): boolean {
    return this.recipients !== null && !this.isOwnedBy(userId);
  }

  mayBeDeletedBy(userId: string | undefined): boolean {
    return this.deletableByViewer || this.isOwnedBy(userId);
  }

  /** When it ended, whether or not `expiredOn` is set yet. */
  endedOn(now: Date): Date | null {
    return this.expiredOn ?? (this.isOverdue(now) ? this.expiresAt : null);
  }

  /** When its time limit ended it; null while it is active, and when it ended otherwise. */
  endedByTimeOn(now: Date): Date | null {
    const endedOn = this.endedOn(now);
    return endedOn !== null && endedOn >= this.expiresAt ? endedOn : null;
  }

  /** When it was last created, viewed or ended. */
  lastChangedOn(now: Date): Date {
    return this.expiredOn === null && this.isOverdue(now) ? this.expiresAt : this.updatedAt;
  }

  /** Days until its time limit, rounded up, whether or not it has ended. */
  daysRemaining(now: Date): number {
    return Math.max(0, daysBetween(now, this.expiresAt));
  }

  viewsRemaining(): number {
    return Math.max(0, this.expireAfterViews - this.viewsCounted);
  }

  /** Whether anybody has opened it, its owner included. */
  wasOpened(): boolean {
    return this.viewsCounted > 0 || this.ownerViewsAudited > 0;
  }

  /** Why it is not shown to a client with this IP address, which is decided before anything else is checked. */
  refusalFor(ip: string, now: Date): OpeningRefusal | undefined {
    if (this.allowedNetworks !== null && !isWithin(ip, parseNetworks(this.allowedNetworks)))
      return { reason: 'network' };
    const opensAt = this.opening();
    return opensAt !== null && now < opensAt ? { reason: 'not yet', opensAt } : undefined;
  }

  /** When it opens: at its end, which means never, if the row does not say it any more. */
  private opening(): Date | null {
    return this.opensAt && wasUnreadable(this.opensAt) ? this.expiresAt : this.opensAt;
  }

  /** Hours in which its first view will end it; null without this limit, and after that view. */
  hoursAfterFirstView(): number | null {
    return this.viewsCounted === 0 ? this.expireAfterFirstView : null;
  }

  /** The events that its owner may still get a mail about; none for anyone else. */
  noticesFor(userId: string | undefined): NoticeEvent[] {
    return this.isOwnedBy(userId) ? noticeEvents(this.notifyOn) : [];
  }

  /** Whether its owner gets a mail about a wrong passphrase: one an hour, so that nobody can flood a mailbox. */
  isPassphraseNoticeDue(now: Date): boolean {
    const isDue = this.passphraseNoticeAt === null || this.passphraseNoticeAt <= passphraseNoticeCutoff(now);
    return isDue && hasNotice(this.notifyOn, 'failed_passphrase');
  }

  /** Counts one more view; the last one ends the push. Undefined when it has ended. */
  view(now: Date, isByOwner = false): PushChange | undefined {
    if (this.isExpired(now)) return undefined;

    const viewsCounted = this.viewsCounted + 1;
    const isLast = viewsCounted >= this.expireAfterViews;
    const hours = this.hoursAfterFirstView();
    return {
      viewsCounted,
      lastViewedAt: now,
      updatedAt: now,
      ...(hours !== null && {
        expiresAt: earlier(this.expiresAt, new Date(now.getTime() + hours * HOUR_MS)),
      }),
      ...(isLast && { expiredOn: now, ...ENDED }),
      ...(!isByOwner && this.notifyOn & OF_FIRST_VIEW && { notifyOn: this.notifyOn & ~OF_FIRST_VIEW }),
    };
  }

  /** A view by its owner that does not count, audited up to the limit. Undefined when the push has ended. */
  viewUncounted(now: Date): PushChange | undefined {
    if (this.isExpired(now)) return undefined;
    return { ownerViewsAudited: Math.min(this.ownerViewsAudited + 1, MAX_AUDITED) };
  }

  /** Whether its owner may allow only so many views: not more than now, and more than are counted. */
  mayAllow(views: number): boolean {
    return Number.isInteger(views) && views > this.viewsCounted && views <= this.expireAfterViews;
  }

  /** Whether its owner may have it end at this time: in the future, not later than now, and after it has opened. */
  mayEndOn(end: Date, now: Date): boolean {
    return end > now && end <= this.expiresAt && (this.opensAt === null || end > this.opensAt);
  }

  /** Lowers its limits to what the two methods above allow. Undefined when they are so already. */
  lower(
    { views = this.expireAfterViews, end = this.expiresAt }: LowerLimits,
    now: Date,
  ): PushChange | undefined {
    const isEarlier = end.getTime() !== this.expiresAt.getTime();
    if (views === this.expireAfterViews && !isEarlier) return undefined;
    return {
      expireAfterViews: views,
      ...(isEarlier && { expiresAt: end, expireAfterDays: daysBetween(this.createdAt, end) }),
      updatedAt: now,
    };
  }

  /** Counts views and an end that another service has recorded since it was imported from there. */
  catchUp({ views, lastViewedAt, endedOn, deleted }: RecordedElsewhere, now: Date): PushChange | undefined {
    if (this.isExpired(now) || (views === 0 && endedOn === null)) return undefined;

    const viewsCounted = this.viewsCounted + views;
    const expiredOn = endedOn ?? (viewsCounted >= this.expireAfterViews ? now : null);
    return {
      viewsCounted,
      lastViewedAt: lastViewedAt ?? this.lastViewedAt,
      updatedAt: now,
      ...(expiredOn && { expiredOn, deleted, ...ENDED }),
    };
  }

  /**
   * Opens it to whoever has its link. Undefined when nothing changes: it is open already, has ended, or only a key that
   * its owner has can decrypt it.
   */
  share(now: Date): PushChange | undefined {
    if (!this.ownerOnly || this.clientEncrypted || this.isExpired(now)) return undefined;
    return { ownerOnly: false, updatedAt: now };
  }

  /**
   * Replaces its recipients, sealed. Undefined when it has ended, and when it has none: it was promised to whoever has its
   * link.
   */
  replaceRecipients(recipients: Buffer, now: Date): PushChange | undefined {
    if (this.recipients === null || this.isExpired(now)) return undefined;
    return { recipients, updatedAt: now };
  }

  /** Ends it on request; undefined when it is deleted already. A push that a limit has ended keeps its end. */
  delete(now: Date): PushChange | undefined {
    if (this.deleted) return undefined;

    const endedOn = this.endedOn(now);
    return {
      deleted: true,
      expiredOn: endedOn ?? now,
      updatedAt: endedOn ? this.lastChangedOn(now) : now,
      ...ENDED,
    };
  }
}

/** There may be another mail about a wrong passphrase when the last one was added at this time, or earlier. */
export function passphraseNoticeCutoff(now: Date): Date {
  return new Date(now.getTime() - HOUR_MS);
}

/** Rounded up. */
function daysBetween(start: Date, end: Date): number {
  return Math.ceil((end.getTime() - start.getTime()) / DAY_MS);
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
