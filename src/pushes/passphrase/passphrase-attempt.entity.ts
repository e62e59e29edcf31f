import { Entity, ForeignKey, Index } from 'typeorm';
import { ReferenceColumn } from '../../platform/database/columns.js';
import { PendingAttempt } from '../../platform/throttling/client-attempt.js';
import { Push } from '../push/push.entity.js';

/** A passphrase attempt that was wrong or is still being checked. Correct ones are deleted. */
@Entity('passphrase_attempts')
@Index(['pushId', 'attemptedAt'])
export class PassphraseAttempt extends PendingAttempt {
  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  pushId: string;
}
