import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotExported } from './not-exported.js';

/** A lock that also works on a cluster: the process named in the row holds it until the lease ends. */
@NotExported() // of processes that use this database
@Entity('leases')
export class Lease {
  @PrimaryColumn('varchar', { length: 64 })
  name: string;

  @Column('varchar', { length: 36 })
  holder: string;

  /** Milliseconds since 1970 by the database's clock, the only one that all replicas share. */
  @Column('bigint')
  endsAt: number;
}
