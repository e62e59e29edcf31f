import { Column, Entity } from 'typeorm';
import { IdColumn } from '../platform/database/columns.js';

/** Stands for the owner of pushes that have none. */
export const NO_OWNER = 'none';

/** The id of the row that each transaction which chains entries writes first. */
const CHAIN = 'chain';

/** Counts the chained entries of an account; its id is that of the account, `NO_OWNER` or `CHAIN`. */
@Entity('audit_sequences')
export class AuditSequence {
  static readonly CHAIN = CHAIN;

  @IdColumn()
  id: string;

  /** The last number that was given to an entry. It is never given again, even when that entry has been removed. */
  @Column({ type: 'bigint', transformer: { from: Number, to: (last: number) => last } })
  last: number;
}
