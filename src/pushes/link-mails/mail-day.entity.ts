import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../../auth/user.entity.js';

/** How many mails with links an account asked for on the last day on which it asked for any. */
@Entity('mail_days')
export class MailDay {
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @PrimaryColumn('varchar', { length: 36 })
  userId: string;

  /** The day in UTC, such as 2026-11-22. */
  @Column('varchar', { length: 10 })
  day: string;

  @Column('integer')
  mails: number;
}
