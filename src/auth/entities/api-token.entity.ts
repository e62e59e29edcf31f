import type { Relation } from 'typeorm';
import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { DigestColumn, IdColumn, DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { User } from './user.entity.js';

export const MAX_TOKEN_NAME = 255;
/** Stored characters of a token: enough for its owner to recognise it, too few to help in guessing it. */
export const TOKEN_PREFIX = 6;
export const USE_ACCURACY_MS = 60 * 60 * 1000;

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

  @Column('varchar', { length: MAX_TOKEN_NAME })
  name: string;

  @Index({ unique: true })
  @DigestColumn()
  digest: string;

  /** The first characters. */
  @Column('varchar', { length: TOKEN_PREFIX })
  prefix: string;

  @DateTimeColumn()
  createdAt: Date;

  /** Accurate to the hour, so that not every request writes it. */
  @DateTimeColumn({ nullable: true })
  lastUsedAt: Date | null;

  /** Whether the recorded time is old enough to be updated. */
  shouldRecordUse(now: Date): boolean {
    return this.lastUsedAt === null || Math.abs(now.getTime() - this.lastUsedAt.getTime()) > USE_ACCURACY_MS;
  }
}
