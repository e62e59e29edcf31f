import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SealedColumn } from '../database/columns.js';

/** A master key that data in this database is sealed with. The key itself is never stored. */
@Entity('master_keys')
export class MasterKey {
  /** Derived from the key, so that it is the same on every replica. */
  @PrimaryColumn('varchar', { length: 16 })
  id: string;

  /** The key check value, a constant sealed with the key: only the right key unseals it. */
  @SealedColumn()
  keyCheck: Buffer;

  @Column('datetime', { precision: 3 })
  createdAt: Date;
}
