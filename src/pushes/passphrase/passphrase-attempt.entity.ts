import { Entity, ForeignKey, Index } from 'typeorm';
import { DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { ClientAttempt } from '../../platform/throttling/client-attempt.js';
import { Push } from '../push/push.entity.js';

/** A passphrase attempt that was wrong or is still being checked. Correct ones are deleted. */
@Entity('passphrase_attempts')
@Index(['pushId', 'attemptedAt'])
export class PassphraseAttempt extends ClientAttempt {
  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  pushId: string;

  /** Null once it is known to be wrong. Counts as wrong if it is still pending at this time: its process has died. */
  @DateTimeColumn({ nullable: true })
  pendingUntil: Date | null;
}
