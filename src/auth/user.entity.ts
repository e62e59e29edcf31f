import { Column, Entity, Index } from 'typeorm';
import { hasMoreCodePointsThan } from '../http/code-points.js';
import { ExactTextColumn, IdColumn, MomentColumn } from '../database/columns.js';

const LONGEST_EMAIL = 254;

/** An account. */
@Entity('users')
export class User {
  @IdColumn()
  id: string;

  /** As `normalizeEmail` makes it. Compared byte by byte on every engine. */
  @Index({ unique: true })
  @ExactTextColumn(LONGEST_EMAIL)
  email: string;

  /** argon2id; null for an account made for the API alone. */
  @Column('varchar', { length: 255, nullable: true })
  passwordHash: string | null;

  @MomentColumn()
  createdAt: Date;

  /** Whether somebody made it on the pages: nobody has verified then that the e-mail address is theirs. */
  @Column('boolean', { default: false })
  signedUp: boolean;

  /** Since when it can neither sign in nor use its tokens; null while it can. */
  @MomentColumn({ nullable: true })
  disabledAt: Date | null;

  /**
   * The form in which addresses are stored and compared: without space around them, in Unicode NFKC, in lower case.
   * Nothing else makes two addresses one account, so an accent makes two. One that is too long stays as it is.
   */
  static normalizeEmail(email: string): string {
    const trimmed = email.trim();
    if (hasMoreCodePointsThan(LONGEST_EMAIL, trimmed)) return trimmed;
    return trimmed.normalize('NFKC').toLowerCase().normalize('NFKC');
  }
}
