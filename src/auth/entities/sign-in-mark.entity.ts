import { Entity, Index, PrimaryColumn } from 'typeorm';
import { DateTimeColumn } from '../../platform/database/columns.js';

/**
 * What makes a sign-in that is not finished yet worthless: it was finished once, or what it began with at the provider has
 * ended. Also a logout token that was used. Kept until nothing that it concerns can come back.
 */
@Entity('sign_in_marks')
export class SignInMark {
  @PrimaryColumn('varchar', { length: 64 })
  digest: string;

  /** What began until then has ended. */
  @DateTimeColumn()
  endedAt: Date;

  @Index()
  @DateTimeColumn()
  keptUntil: Date;
}
