import { Column, Entity, ForeignKey } from 'typeorm';
import { DigestColumn, IdColumn } from '../platform/database/columns.js';

/** Where the chain of a push's audit entries ends, kept apart from the entries, so that a removed last entry shows. */
@Entity('audit_heads')
export class AuditChainHead {
  @ForeignKey('Push', { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @IdColumn()
  pushId: string;

  /** How many entries of the push are chained. */
  @Column('integer')
  entries: number;

  /** The digest of the last of them; empty while there is none. */
  @DigestColumn()
  digest: string;

  /** Whether the log is being removed together with its push: until the push is gone, a part of it is missing. */
  @Column('boolean', { default: false })
  removing: boolean;
}
