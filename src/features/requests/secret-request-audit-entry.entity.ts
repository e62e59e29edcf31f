import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { DateTimeColumn, IdColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { SecretRequest } from './secret-request.entity.js';

export type SecretRequestAuditKind = 'creation' | 'answer' | 'failed_passphrase' | 'close';

/** An event of a request, and the client that caused it. What happens to an answer is in the log of its push. */
@Entity('request_audit_entries')
@Index(['requestId', 'id'])
export class SecretRequestAuditEntry {
  @IdColumn()
  id: string;

  @ForeignKey(() => SecretRequest, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  requestId: string;

  @Column('varchar', { length: 20 })
  kind: SecretRequestAuditKind;

  @Column('varchar', { length: 45 })
  ip: string;

  @Column('varchar', { length: 255 })
  userAgent: string;

  @Column('varchar', { length: 255 })
  referrer: string;

  @DateTimeColumn()
  createdAt: Date;
}
