import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SealedColumn } from '../database/columns.js';

/** A master key that something stored here is sealed with. The key itself is never stored. */
@Entity('master_keys')
export class MasterKey {
  /** Derived from the key, so that any replica finds the same. */
  @PrimaryColumn('varchar', { length: 16 })
  id: string;

  /** A constant sealed with the key: only the right key opens it. */
  @SealedColumn()
  proof: Buffer;

  @Column('datetime', { precision: 3 })
  createdAt: Date;
}
