import { Entity, ForeignKey, Index } from 'typeorm';
import { DigestColumn, IdColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { User } from './user.entity.js';

/** A code that replaces the second factor of an account once; its row is deleted when it is used. */
@Entity('recovery_codes')
export class RecoveryCode {
  @IdColumn()
  id: string;

  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  /** The code itself is not stored. */
  @Index({ unique: true })
  @DigestColumn()
  digest: string;
}
