import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { Push } from '../push/push.entity.js';

/** A key that a form was submitted with, and the push that was created from it. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  /** SHA-256 of the key, in hex. */
  @PrimaryColumn('varchar', { length: 64 })
  digest: string;

  @Index()
  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  pushId: string;

  @Index()
  @DateTimeColumn()
  createdAt: Date;
}
