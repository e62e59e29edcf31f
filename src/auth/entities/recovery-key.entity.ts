import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, ReferenceColumn, SealedColumn } from '../../platform/database/columns.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';
import { User } from './user.entity.js';

/**
 * What the digests of an account's recovery codes are made with, when they were imported: the service that they come
 * from digests them with HMAC-SHA256 (RFC 2104), because they are short.
 */
@Entity('recovery_keys')
@Index(['masterKeyId', 'id'])
export class RecoveryKey {
  @IdColumn()
  id: string;

  /** An account has one at most. */
  @Index({ unique: true })
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  @ForeignKey(() => MasterKey, { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' })
  @Column('varchar', { length: 16 })
  masterKeyId: string;

  /** The key of the HMAC, 32 bytes or more, after what each code is prefixed with: see `RecoveryKeySeal`. */
  @SealedColumn()
  sealed: Buffer;
}
