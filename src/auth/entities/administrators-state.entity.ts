import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SealedColumn } from '../../platform/database/columns.js';

export const ADMINISTRATORS_STATE = 'administration';

/** The only row of its table: what all processes that share the database know together about administrators. */
@Entity('administration')
export class AdministratorsState {
  @PrimaryColumn('varchar', { length: 36 })
  id: string;

  /** Counted up by each change of who is an administrator, so that no two of them run at the same time. */
  @Column('integer')
  changes: number;

  /** The master key that seals the setup code; null without a code. */
  @Column('varchar', { length: 16, nullable: true })
  setupKeyId: string | null;

  @SealedColumn({ nullable: true })
  setupCode: Buffer | null;
}
