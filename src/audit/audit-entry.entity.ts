import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, DateTimeColumn, DigestColumn, ReferenceColumn } from '../platform/database/columns.js';

export type AuditKind =
  | 'creation'
  | 'view'
  | 'owner_view'
  | 'failed_view'
  | 'failed_passphrase'
  | 'failed_code' // the code of a recipient was wrong
  | 'code_refused' // somebody who is not named asked for a code
  | 'expire' // a delete; the API calls it so
  | 'file_download'
  | 'creation_email_send' // its owner has the link mailed, also later than at its creation; the API calls it so
  | 'admin_view' // only in the log of an imported push
  | 'edit'; // its owner has changed who may open it, or its limits

/** How many entries a push may have of each of these: failures, uncounted views by its owner, and downloads. */
export const MAX_AUDITED = 2000;

/** The number in the entry of a download of all files in one archive. */
export const ALL_FILES = 0;

/** An event of a push, and the client that caused it. Ids are ordered by time. */
@Entity('audit_entries')
@Index(['pushId', 'id'])
@Index('audit_entries_of_owner', ['ownerId', 'number', 'id']) // the chaining finds new entries by it, oldest first
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

  /** Whether the account that owns the push caused it, or, for a download, was given its link. */
  @Column('boolean', { default: false })
  byOwner: boolean;

  /** The download link that was used; each is recorded once. */
  @ReferenceColumn({ nullable: true })
  linkId: string | null;

  /** Which file of the push was downloaded, from 1; `ALL_FILES` for all in one archive; null if that is not known. */
  @Column('integer', { nullable: true })
  fileNumber: number | null;

  @DateTimeColumn()
  createdAt: Date;

  /** The account that owns the push, `NO_OWNER` if none does; null until the entry is chained, like the next two. */
  @ReferenceColumn({ nullable: true })
  ownerId: string | null;

  /** Its place among the chained entries of all pushes of this owner, from 1. Removed entries leave gaps. */
  @Column({ type: 'bigint', nullable: true, transformer: { from: numberOrNull, to: numberOrNull } })
  number: number | null;

  /** SHA-256 of the digest of the push's entry before it and of this entry as `AuditLineDto` shows it. */
  @DigestColumn({ nullable: true })
  digest: string | null;
}

/** TypeORM returns 64-bit integers of servers as text. */
function numberOrNull(value: string | number | null | undefined): number | null | undefined {
  return typeof value === 'string' ? Number(value) : value;
}
