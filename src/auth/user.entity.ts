import { Column, Entity, Index } from 'typeorm';
import { IdColumn, MomentColumn } from '../database/columns.js';

/** An account. */
@Entity('users')
export class User {
  @IdColumn()
  id: string;

  /** In lower case, as `normalizeEmail` makes it. */
  @Index({ unique: true })
  @Column('varchar', { length: 254 })
  email: string;

  /** argon2id; null for an account made for the API alone. */
  @Column('varchar', { length: 255, nullable: true })
  passwordHash: string | null;

  @MomentColumn()
  createdAt: Date;

  /** Two spellings of one address are one account. */
  static normalizeEmail(email: string): string {
    return email.trim().toLowerCase();
  }
}
