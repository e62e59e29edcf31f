import { Entity, PrimaryColumn } from 'typeorm';
import { DateTimeColumn } from '../platform/database/columns.js';
import { NotExported } from '../platform/database/not-exported.js';

/** A stored file that no row of `files` refers to, as the last sweep found it. */
@NotExported() // the next sweep finds it again
@Entity('unknown_files')
export class UnknownFile {
  @PrimaryColumn('varchar', { length: 64 })
  storageKey: string;

  /** When a sweep first found it, and every later one has. */
  @DateTimeColumn()
  firstSeenAt: Date;
}
