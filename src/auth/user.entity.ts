import { Column, Entity, Index } from 'typeorm';
import { hasMoreCodePointsThan } from '../http/validation/code-points.js';
import { ExactTextColumn, IdColumn, DateTimeColumn } from '../database/columns.js';

const MAX_EMAIL = 254;

/** An account. */
@Entity('users')
export class User {
  @IdColumn()
  id: string;

  /** As `normalizeEmail` returns it. Compared byte by byte on every engine. */
  @Index({ unique: true })
  @ExactTextColumn(MAX_EMAIL)
  email: string;

  /** argon2id; null for an account that is for the API only. */
  @Column('varchar', { length: 255, nullable: true })
  passwordHash: string | null;

  @DateTimeColumn()
  createdAt: Date;

  /** Whether it was created by signing up on the pages: then the owner of the email address is not verified. */
  @Column('boolean', { default: false })
  signedUp: boolean;

  /** Since when the account can neither sign in nor use its tokens; null while it can. */
  @DateTimeColumn({ nullable: true })
  disabledAt: Date | null;

  /**
   * The form in which addresses are stored and compared: trimmed, in Unicode NFKC, in lower case. Other differences,
   * such as an accent, make two addresses two accounts. One that is too long is only trimmed.
   */
  static normalizeEmail(email: string): string {
    const trimmed = email.trim();
    if (hasMoreCodePointsThan(MAX_EMAIL, trimmed)) return trimmed;
    return trimmed.normalize('NFKC').toLowerCase().normalize('NFKC');
  }
}
