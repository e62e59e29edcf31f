import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { DateTimeColumn, IdColumn, ReferenceColumn, SealedColumn } from '../../platform/database/columns.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { User } from './user.entity.js';

export const STEP_SECONDS = 30;

/** An app that shows the codes of an account: time-based one-time passwords (TOTP, RFC 6238). */
@Entity('authenticators')
@Index(['masterKeyId', 'id'])
export class Authenticator {
  @IdColumn()
  id: string;

  /** An account has one at most. */
  @Index({ unique: true })
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  @ForeignKey(() => MasterKey, { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' })
  @Column('varchar', { length: 16 })
  masterKeyId: string;

  /** The secret that app and server share. */
  @SealedColumn()
  sealed: Buffer;

  /** The time step of the last code that was accepted: it and earlier ones are refused (RFC 6238, section 5.2). */
  @Column('integer')
  lastStep: number;

  @DateTimeColumn()
  createdAt: Date;

  /** Whether a code of this time step has not been used. A last step in the future is from a clock that was ahead. */
  accepts(step: number, now: Date): boolean {
    const latest = Math.floor(now.getTime() / SECOND_MS / STEP_SECONDS) + 1;
    return step > this.lastStep || this.lastStep > latest;
  }
}
