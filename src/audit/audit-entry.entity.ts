import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, DateTimeColumn, ReferenceColumn } from '../database/columns.js';

export type AuditKind =
  | 'creation'
  | 'view'
  | 'owner_view'
  | 'failed_view'
  | 'failed_passphrase'
  | 'expire'
  | 'file_download'
  | 'notify_by_email';

/** How many entries a push may have of failures, of uncounted views by its owner, and of downloads; of each. */
export const MAX_AUDITED = 2000;

/** An event of a push, and the client that caused it. Ids are ordered by time. */
@Entity('audit_entries')
@Index(['pushId', 'id'])
@Index('audit_entries_of_link', ['linkId'], { unique: true, where: 'link_id IS NOT NULL' }) // partial on SQLite
export class AuditEntry {
  @IdColumn()
  id: string;

  @ForeignKey('Push', { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  pushId: string;

  @Column('varchar', { length: 20 })
  kind: AuditKind;

  @Column('varchar', { length: 45 })
  ip: string;

  @Column('varchar', { length: 255 })
  userAgent: string;

  @Column('varchar', { length: 255 })
  referrer: string;

  /**
   * Whether the account that owns the push caused it, or, for a download, was given its link, as far as that is known;
   * false for entries from before this was recorded.
   */
  @Column('boolean', { default: false })
  byOwner: boolean;

  /** The download link that was used; each is recorded once. */
  @ReferenceColumn({ nullable: true })
  linkId: string | null;

  @DateTimeColumn()
  createdAt: Date;
}
