import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ReferenceColumn, SealedColumn } from '../../platform/database/columns.js';
import { Push } from '../push/push.entity.js';

/** A view of a push by one of its recipients. */
@Entity('openings')
export class Opening {
  /**
   * What no second view may have: the id of its code or, where each recipient may open the push only once, the digest of
   * the email address.
   */
  @PrimaryColumn('varchar', { length: 64 })
  id: string;

  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @Index()
  @ReferenceColumn()
  pushId: string;

  /** The audit entry of the view. */
  @ReferenceColumn()
  auditEntryId: string;

  /** The email address, sealed with the owner key of the push; null when the push has no owner who could read it. */
  @SealedColumn({ nullable: true })
  sealed: Buffer | null;
}
