import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../entities/user.entity.js';

const AmountColumn = () =>
  Column({ type: 'bigint', transformer: { from: Number, to: (amount: number) => amount } });

/** What an account used on the last day on which it used anything that is counted here. */
@Entity('daily_usage')
export class DailyUsage {
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @PrimaryColumn('varchar', { length: 36 })
  userId: string;

  /** The day in UTC, such as 2026-11-22. */
  @Column('varchar', { length: 10 })
  day: string;

  /** Bytes of files that it sent. */
  @AmountColumn()
  bytes: number;

  /** Mails with links that it asked for. */
  @AmountColumn()
  mails: number;

  /** Wrong codes of its authenticator app, and those that are being checked, whoever tries them. */
  @Column('integer', { default: 0 })
  codes: number;

  /** Whether its owner was told that these are too many. */
  @Column('boolean', { default: false })
  codesTold: boolean;
}
