import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { DateTimeColumn } from '../../platform/database/columns.js';
import { HOUR_MS } from '../../platform/settings/units.js';

/** How many mails were asked for, to one email address or from one network, in the hour that began with the first. */
@Entity('mail_counts')
export class MailCount {
  /** A digest, because these are email addresses of people who may have nothing to do with this site. */
  @PrimaryColumn('varchar', { length: 64 })
  subject: string;

  @Column('integer')
  mails: number;

  /** When the hour ends. */
  @Index()
  @DateTimeColumn()
  endsAt: Date;

  static endOf(now: Date): Date {
    return new Date(now.getTime() + HOUR_MS);
  }
}
