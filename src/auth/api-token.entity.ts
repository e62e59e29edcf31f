import type { Relation } from 'typeorm';
import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { DigestColumn, IdColumn, MomentColumn, ReferenceColumn } from '../database/columns.js';
import { User } from './user.entity.js';

export const LONGEST_TOKEN_NAME = 255;
const USE_IS_KEPT_TO_MS = 60 * 60 * 1000;

/** A credential for the API. Only its digest is stored. */
@Entity('api_tokens')
@Index(['userId', 'id'])
export class ApiToken {
  @IdColumn()
  id: string;

  @ReferenceColumn()
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION', nullable: false })
  @JoinColumn({ name: 'user_id' })
  user: Relation<User>;

  @Column('varchar', { length: LONGEST_TOKEN_NAME })
  name: string;

  @Index({ unique: true })
  @DigestColumn()
  digest: string;

  @MomentColumn()
  createdAt: Date;

  /** To the hour, so that reading does not mean writing. */
  @MomentColumn({ nullable: true })
  lastUsedAt: Date | null;

  /** Whether this use is worth writing down. */
  shouldRecordUse(now: Date): boolean {
    return this.lastUsedAt === null || now.getTime() - this.lastUsedAt.getTime() > USE_IS_KEPT_TO_MS;
  }
}
