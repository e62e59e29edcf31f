import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import {
  DateTimeColumn,
  DigestColumn,
  IdColumn,
  LongSealedColumn,
  ReferenceColumn,
} from '../../platform/database/columns.js';
import { CLOCK_DIFFERENCE_MS } from '../../platform/database/cap-times.js';
import { HOUR_MS } from '../../platform/settings/units.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';

/** The columns of a request that a rule changes. */
type SecretRequestChange = Partial<
  Pick<
    SecretRequest,
    'answersCounted' | 'bytesReceived' | 'openUntil' | 'closedBy' | 'updatedAt' | 'noticedAt' | 'noticeDueAt'
  >
>;

/** How a request was closed, unless by time. */
type ClosedBy = 'owner' | 'last answer';

/** Why a request takes no answer. */
type AnswerRefusal = 'closed' | 'too large';

/**
 * An account asks for a secret; whoever has the link may answer a limited number of times. Each answer is a push of the
 * account. Its rules return the change to make and leave the object unmodified.
 */
@Entity('requests')
@Index(['userId', 'openUntil', 'id'])
@Index(['masterKeyId', 'id'])
export class SecretRequest {
  @IdColumn()
  id: string;

  @Index({ unique: true })
  @DigestColumn()
  tokenDigest: string;

  /** Who asks. */
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  @ForeignKey(() => MasterKey, { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' })
  @Column('varchar', { length: 16 })
  masterKeyId: string;

  /** Its texts: see SecretRequestSeal. */
  @LongSealedColumn()
  sealed: Buffer;

  /** The code of `close_after_duration` that it was created with. */
  @Column('integer')
  closeAfterDuration: number;

  /** When its time limit closes it, unless it is closed earlier. */
  @DateTimeColumn()
  closesAt: Date;

  /** When it was closed, or will be by its time limit. */
  @Index()
  @DateTimeColumn()
  openUntil: Date;

  /** Null while it is open, and when its time limit has closed it. */
  @Column('varchar', { length: 12, nullable: true })
  closedBy: ClosedBy | null;

  @Column('integer')
  answers: number;

  @Column('integer')
  answersCounted: number;

  /** Bytes of the files of all answers. */
  @Column({ type: 'bigint', transformer: { from: Number, to: (value: unknown) => value } })
  bytesReceived: number;

  /** Whether answers may have files. */
  @Column('boolean')
  filesAllowed: boolean;

  /** Whether the form says who asks. */
  @Column('boolean')
  showsRequestor: boolean;

  /** Whether the owner gets a mail when an answer has come. */
  @Column('boolean')
  notifies: boolean;

  /** When a mail about answers was last added. */
  @DateTimeColumn({ nullable: true })
  noticedAt: Date | null;

  /** When the next one will be, about answers since; null without any. */
  @Index()
  @DateTimeColumn({ nullable: true })
  noticeDueAt: Date | null;

  // of the pushes that answers become

  @Column('integer')
  expireAfterDays: number;

  /** In milliseconds. */
  @Column({ type: 'bigint', transformer: { from: Number, to: (value: unknown) => value } })
  lifetime: number;

  @Column('integer')
  expireAfterViews: number;

  @Column('boolean')
  deletableByViewer: boolean;

  @Column('boolean')
  retrievalStep: boolean;

  /** How many audit entries record wrong passphrases, at most `MAX_AUDITED`. */
  @Column('integer')
  failuresAudited: number;

  /** How many passphrases were tried. The increment also serializes attempts on every engine. */
  @Column('integer')
  passphraseAttempts: number;

  @DateTimeColumn()
  createdAt: Date;

  @DateTimeColumn()
  updatedAt: Date;

  isOpen(now: Date): boolean {
    return this.closedBy === null && this.openUntil > now; // the clock of who closed it may be ahead
  }

  isOwnedBy(userId: string | undefined): boolean {
    return this.userId === userId;
  }

  answersRemaining(): number {
    return Math.max(0, this.answers - this.answersCounted);
  }

  /** Bytes that the files of further answers may have. */
  bytesRemaining(maxBytes: number): number {
    return Math.max(0, maxBytes - this.bytesReceived);
  }

  /**
   * Counts an answer with files of so many bytes; the last one closes the request.
   * @param maxBytes of the files of all answers
   */
  answer(bytes: number, maxBytes: number, now: Date): SecretRequestChange | AnswerRefusal {
    if (!this.isOpen(now) || this.answersRemaining() === 0) return 'closed';
    if (bytes > this.bytesRemaining(maxBytes)) return 'too large';
    const answersCounted = this.answersCounted + 1;
    const isLast = answersCounted >= this.answers;
    return {
      answersCounted,
      bytesReceived: this.bytesReceived + bytes,
      updatedAt: now,
      ...(isLast && { openUntil: now, closedBy: 'last answer' }),
      ...(this.notifies && (this.isNoticeDue(now) ? noticed(now) : { noticeDueAt: this.nextNotice() })),
    };
  }

  /** Closes it on request of its owner. Undefined when it is closed already. */
  close(now: Date): SecretRequestChange | undefined {
    return this.isOpen(now) ? { openUntil: now, closedBy: 'owner', updatedAt: now } : undefined;
  }

  /** Whether its owner gets a mail about an answer at once: at most one in an hour. */
  isNoticeDue(now: Date): boolean {
    const nextAt = (this.noticedAt?.getTime() ?? 0) + HOUR_MS;
    return (
      this.notifies && (nextAt <= now.getTime() || nextAt > now.getTime() + HOUR_MS + CLOCK_DIFFERENCE_MS)
    );
  }

  private nextNotice(): Date {
    return new Date((this.noticedAt?.getTime() ?? 0) + HOUR_MS);
  }
}

/** The change when a mail about all answers so far is added. */
export function noticed(now: Date): SecretRequestChange {
  return { noticedAt: now, noticeDueAt: null };
}
