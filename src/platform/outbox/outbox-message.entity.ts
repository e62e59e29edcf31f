import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { DateTimeColumn, IdColumn, ReferenceColumn, SealedColumn } from '../database/columns.js';
import { MasterKey } from '../sealing/master-key.entity.js';
import type { DeliveryError } from './outbox-channels.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../settings/units.js';

const RETRY_FOR_MS = DAY_MS;
const FIRST_RETRY_MS = 10 * SECOND_MS;
const MAX_RETRY_MS = 15 * MINUTE_MS;
/** The longest that a message waits for its next attempt. */
export const MAX_RETRY_DELAY_MS = 1.5 * MAX_RETRY_MS;
/** More than fit into RETRY_FOR_MS: ends a message that was added while the clock was ahead. */
const MAX_ATTEMPTS = 300;

/** Longer than any delivery may take. */
const LEASE_MS = 2 * MINUTE_MS;

/** `dropped`: there was nothing to send any more, such as the link of a push that had ended. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'dropped';

/** What the entity changes in its row. */
export type MessageChange = Partial<
  Pick<
    OutboxMessage,
    'attempts' | 'nextAttemptAt' | 'masterKeyId' | 'sealed' | 'endedAt' | 'outcome' | 'error' | 'reason'
  >
>;

/** A message to somebody outside, such as a mail: written together with what it reports, and sent after the commit. */
@Entity('outbox_messages')
@Index('outbox_messages_due', ['nextAttemptAt', 'destination']) // TypeORM's names ignore the order
@Index(['destination', 'nextAttemptAt'])
@Index('outbox_messages_of_destination', ['destination', 'id'])
@Index(['outcome', 'endedAt'])
@Index(['channel', 'outcome', 'endedAt'])
export class OutboxMessage {
  @IdColumn()
  id: string;

  /** The name of the channel that delivers it. */
  @Column('varchar', { length: 20 })
  channel: string;

  /** What it is sent to, such as the id of a webhook: a slow or failing destination delays only its own messages. */
  @Column('varchar', { length: 64 })
  destination: string;

  /** What it reports, such as `push.retrieved`. */
  @Column('varchar', { length: 40 })
  kind: string;

  /** The account that it is for, with which it is deleted. */
  @ForeignKey('User', { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @Index()
  @ReferenceColumn({ nullable: true })
  userId: string | null;

  /** The master key that `sealed` is sealed with; null once it has ended. */
  @ForeignKey(() => MasterKey, { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' })
  @Index()
  @Column('varchar', { length: 16, nullable: true })
  masterKeyId: string | null;

  /** Its values as JSON, sealed. Null once it has ended: nothing of a delivered message is kept. */
  @SealedColumn({ nullable: true })
  sealed: Buffer | null;

  @DateTimeColumn()
  createdAt: Date;

  @Column('integer')
  attempts: number;

  /** When it may be attempted next; during an attempt, when other processes may assume that it was lost. */
  @DateTimeColumn({ nullable: true })
  nextAttemptAt: Date | null;

  @DateTimeColumn({ nullable: true })
  endedAt: Date | null;

  @Column('varchar', { length: 10, nullable: true })
  outcome: DeliveryOutcome | null;

  /** The error of the last attempt, or why it was dropped, as a code. */
  @Column('varchar', { length: 100, nullable: true })
  error: string | null;

  /** What was said with that error, if its code does not say it all. */
  @Column('varchar', { length: 300, nullable: true })
  reason: string | null;

  /** Begins an attempt: no other process attempts it until the lease ends. */
  beginDelivery(now: Date): MessageChange {
    return { attempts: this.attempts + 1, nextAttemptAt: new Date(now.getTime() + LEASE_MS) };
  }

  delivered(now: Date): MessageChange {
    return { ...ended(now), outcome: 'delivered', error: null, reason: null };
  }

  dropped(reason: string, now: Date): MessageChange {
    return { ...ended(now), outcome: 'dropped', error: reason, reason: null };
  }

  /** Attempts it again later; after a day, or an error that would occur again, it has failed. */
  notDelivered(failure: DeliveryError, now: Date, random = Math.random()): MessageChange {
    const { code: error, reason = null } = failure;
    const nextAttemptAt = new Date(now.getTime() + retryDelay(this.attempts, random));
    const isTooOld = nextAttemptAt.getTime() > this.createdAt.getTime() + RETRY_FOR_MS;
    const isLast = failure.type === 'permanent' || isTooOld || this.attempts >= MAX_ATTEMPTS;
    return isLast ? { ...ended(now), outcome: 'failed', error, reason } : { nextAttemptAt, error, reason };
  }
}

/** Milliseconds until the attempt after `attempts` of them: twice as long each time, more or less a half. */
export function retryDelay(attempts: number, random: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS) * (0.5 + random);
}

function ended(now: Date): MessageChange {
  return { endedAt: now, nextAttemptAt: null, masterKeyId: null, sealed: null };
}
