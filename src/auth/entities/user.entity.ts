import { Column, Entity, Index } from 'typeorm';
import { hasMoreCodePointsThan } from '../../platform/http/validation/text-error.js';
import {
  ExactTextColumn,
  IdColumn,
  DateTimeColumn,
  ReferenceColumn,
} from '../../platform/database/columns.js';
import type { PasswordSignIn, Settings } from '../../platform/settings/settings.js';
import type { Language } from '../../texts/languages.js';

export const MAX_EMAIL = 254;

type SecondFactorRules = Pick<Settings, 'REQUIRE_SECOND_FACTOR' | 'PASSWORD_SIGN_IN' | 'OIDC_SECOND_FACTOR'>;

/** An account. */
@Entity('users')
export class User {
  @IdColumn()
  id: string;

  /** The email address as `normalizeEmail` returns it. Compared byte by byte on every engine. */
  @Index({ unique: true })
  @ExactTextColumn(MAX_EMAIL)
  email: string;

  /**
   * argon2id, or bcrypt when it was imported and nobody has signed in with it since; null until one is set: for an account
   * that was invited, or that is for the API only.
   */
  @Index()
  @Column('varchar', { length: 255, nullable: true })
  passwordHash: string | null;

  @DateTimeColumn()
  createdAt: Date;

  /**
   * Whether it was created by signing up on the pages, and the owner of the email address has not been verified since,
   * by a link.
   */
  @Column('boolean', { default: false })
  emailUnverified: boolean;

  /** Whether it may manage the accounts of others on the pages. */
  @Index()
  @Column('boolean', { default: false })
  administrator: boolean;

  /** Whether signing in needs a second factor besides the password. */
  @Column('boolean', { default: false })
  hasSecondFactor: boolean;

  /** Whether one of them is a passkey; not loaded with the account, see PageAccess. */
  hasPasskey?: boolean;

  /** When a session or an API token of it was last used, to the hour; null if never. */
  @DateTimeColumn({ nullable: true })
  lastUsedAt: Date | null;

  /** About which events of its pushes it gets a mail when a push does not say, as the bits of `NoticeBits` in `pushes`. */
  @Column('integer', { default: 0 })
  notifyOn: number;

  /** The language of mails about its pushes; null for the default one. */
  @Column('varchar', { length: 8, nullable: true })
  language: Language | null;

  /** Whether mails with links that it sends from a page say who sends them, by its email address. */
  @Column('boolean', { default: true })
  namedInMails: boolean;

  /** The time since which the account can neither sign in nor use its tokens; null while it can. */
  @DateTimeColumn({ nullable: true })
  disabledAt: Date | null;

  /** How often all that was signed in to it was ended: what waits for its next step since before the last time has ended, too. */
  @Column('integer', { default: 0 })
  signInsEnded: number;

  /** When it last signed in at the provider of OpenID Connect; null while no identity there belongs to it. */
  @DateTimeColumn({ nullable: true })
  providerSignInAt: Date | null;

  /** The group whose rules hold for what it creates; null for none. Moved to another one before the group is deleted. */
  @Index()
  @ReferenceColumn({ nullable: true })
  groupId: string | null;

  /** Whether its password is a way to sign in. */
  maySignInWithPassword(allowedFor: PasswordSignIn): boolean {
    return this.passwordHash !== null && this.mayUsePassword(allowedFor);
  }

  /** Whether a password is or would be a way to sign in. */
  mayUsePassword(allowedFor: PasswordSignIn): boolean {
    return allowedFor === 'all' || (allowedFor === 'administrators' && this.administrator);
  }

  /** Whether it must set up a second factor before it may do anything else. */
  lacksSecondFactor(rules: SecondFactorRules, cameFromProvider = false): boolean {
    return !this.hasSecondFactor && this.mustHaveSecondFactor(rules, cameFromProvider);
  }

  /**
   * Whether it is to have a second factor. An account that can only sign in at the provider needs none unless
   * OIDC_SECOND_FACTOR is set, and one for the API only could not set one up.
   * @param cameFromProvider whether the session has begun there
   */
  mustHaveSecondFactor(rules: SecondFactorRules, cameFromProvider = false): boolean {
    const { REQUIRE_SECOND_FACTOR: requiredOf } = rules;
    if (requiredOf === 'none' || (requiredOf === 'administrators' && !this.administrator)) return false;
    const usesPassword = !cameFromProvider && this.maySignInWithPassword(rules.PASSWORD_SIGN_IN);
    return usesPassword || (rules.OIDC_SECOND_FACTOR && this.providerSignInAt !== null);
  }

  /**
   * The form in which email addresses are stored and compared: trimmed, in Unicode NFKC, in lower case. Other
   * differences, such as an accent, make two email addresses two accounts. One that is too long is only trimmed.
   */
  static normalizeEmail(email: string): string {
    const trimmed = email.trim();
    if (hasMoreCodePointsThan(MAX_EMAIL, trimmed)) return trimmed;
    return trimmed.normalize('NFKC').toLowerCase().normalize('NFKC');
  }
}
