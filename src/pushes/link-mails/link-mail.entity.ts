import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Push } from '../push/push.entity.js';
import { DateTimeColumn, IdColumn, ReferenceColumn, SealedColumn } from '../../platform/database/columns.js';
import type { DeliveryOutcome } from '../../platform/outbox/outbox-message.entity.js';

/** A mail with the link of a push: to whom, and what became of it. It is deleted with the push. */
@Entity('link_mails')
export class LinkMail {
  /** That of its message in the outbox, which is deleted some days after the mail has been sent. */
  @IdColumn()
  id: string;

  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @Index()
  @ReferenceColumn()
  pushId: string;

  /** The audit entry of the request, which may have asked for several mails. */
  @ReferenceColumn()
  auditEntryId: string;

  /** Recipient and locale, sealed with the owner key of the push. */
  @SealedColumn()
  sealed: Buffer;

  /** The next four are those of its message, and are changed in the same transactions. */
  @Column('integer')
  attempts: number;

  /** When its message last changed, which is at the beginning and at the end of each attempt. */
  @DateTimeColumn({ nullable: true })
  changedAt: Date | null;

  @Column('varchar', { length: 10, nullable: true })
  outcome: DeliveryOutcome | null;

  @Column('varchar', { length: 100, nullable: true })
  error: string | null;
}
