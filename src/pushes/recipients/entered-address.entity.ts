import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { SealedColumn } from '../../platform/database/columns.js';

/**
 * The email address that somebody entered who was refused: who asked for a code without being named, and whose code was
 * wrong. Anyone can enter any address. It is removed with its audit entry.
 */
@Entity('entered_addresses')
export class EnteredAddress {
  @ForeignKey(() => AuditEntry, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @PrimaryColumn('varchar', { length: 36 })
  auditEntryId: string;

  /** With the owner key of the push. */
  @SealedColumn()
  sealed: Buffer;
}
