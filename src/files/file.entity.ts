import { Column, Entity, Index } from 'typeorm';
import { IdColumn, DateTimeColumn, ReferenceColumn, SealedColumn } from '../platform/database/columns.js';

/**
 * A file attached to a push. The row has its own end time and is kept after its push is removed, until its bytes are
 * removed, so it has no foreign key.
 */
@Entity('files')
@Index(['pushId', 'position'])
@Index(['endedOn', 'id'])
export class StoredFile {
  @IdColumn()
  id: string;

  @ReferenceColumn()
  pushId: string;

  /** Its position in the order in which the files were sent. */
  @Column('integer')
  position: number;

  @SealedColumn()
  name: Buffer;

  @SealedColumn()
  contentType: Buffer;

  /** What seals its content, when that is not the data key of its push: it arrived before the push. See `contentSeal`. */
  @SealedColumn({ nullable: true })
  contentKey: Buffer | null;

  /** Size of the plain content in bytes. */
  @Column({ type: 'bigint', transformer: { from: Number, to: (size: number) => size } })
  size: number;

  /** The key of its sealed bytes in the file store; empty when they were missing where the push was imported from. */
  @Index()
  @Column('varchar', { length: 64 })
  storageKey: string;

  /** When the last link to it expires; null when none was created, or all were revoked. */
  @DateTimeColumn({ nullable: true })
  linksUntil: Date | null;

  /**
   * When the end of its push was recorded: at the last view, at a delete, or, if it ended by time, in the run of the
   * schedule that recorded it. Null until then. A delete after the end sets it again.
   */
  @DateTimeColumn({ nullable: true })
  endedOn: Date | null;

  /** How many audit entries record downloads of the push's files; counted in its first file. */
  @Column('integer')
  downloadsAudited: number;

  /** Whether it has only a name: its bytes were missing where the push was imported from. */
  get isMissing(): boolean {
    return this.storageKey === '';
  }

  /** Whether a link that has not expired may still be used. */
  mayBeFetched(now: Date): boolean {
    return this.endedOn === null || (this.linksUntil !== null && this.linksUntil > now);
  }
}
