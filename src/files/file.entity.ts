import { Column, Entity, Index } from 'typeorm';
import { IdColumn, MomentColumn, ReferenceColumn, SealedColumn } from '../database/columns.js';

/**
 * A file attached to a push. It carries its own end and outlives its push where bytes are still to be removed,
 * so it has no foreign key.
 */
@Entity('files')
@Index(['pushId', 'position'])
@Index(['endedOn', 'id'])
export class StoredFile {
  @IdColumn()
  id: string;

  @ReferenceColumn()
  pushId: string;

  /** Where it stood among the files as they were sent. */
  @Column('integer')
  position: number;

  @SealedColumn()
  name: Buffer;

  @SealedColumn()
  contentType: Buffer;

  /** Of the plain content, in bytes. */
  @Column({ type: 'bigint', transformer: { from: Number, to: (size: number) => size } })
  size: number;

  /** Where its sealed bytes lie. */
  @Index()
  @Column('varchar', { length: 64 })
  storageKey: string;

  /** When the last link given out ends; null when none was, or all were ended. */
  @MomentColumn({ nullable: true })
  linksUntil: Date | null;

  /** When its push ended; null while it lives. */
  @MomentColumn({ nullable: true })
  endedOn: Date | null;

  /** How many audit entries tell of downloads of the push's files; counted in its first file. */
  @Column('integer')
  downloadsAudited: number;

  /** Whether a link that is still good by its own time may be followed. */
  mayBeFetched(now: Date): boolean {
    return this.endedOn === null || (this.linksUntil !== null && this.linksUntil > now);
  }
}
