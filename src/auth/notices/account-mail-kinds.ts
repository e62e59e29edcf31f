import type { Language } from '../../texts/languages.js';

/** The kinds of mails about accounts, in the outbox. */
export const ACCOUNT_MAILS = {
  signUp: 'account.sign_up',
  newPassword: 'account.new_password',
  passwordLink: 'account.password_link',
  email: 'account.email',
  join: 'account.join',
  notice: 'account.notice',
} as const;

/** A change that the owner of an account is told about. */
export type AccountNotice =
  | 'token'
  | 'token_ends'
  | 'new_browser'
  | 'password'
  | 'email'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'recovery_code_used'
  | 'recovery_codes_created'
  | 'wrong_codes'
  | 'identity_joined'
  | 'administrator'
  | 'disabled';

/** What a mail that somebody asked for is made from, in the language of their request. */
export interface RequestedMailValues {
  /** As `User.normalizeEmail` returns it. */
  email: string;
  language: Language;
  /** The path of the page to go to after signing up, if it is not the usual one. */
  next?: string;
}

export interface PasswordLinkValues {
  language: Language;
}

export interface AccountNoticeValues {
  notice: AccountNotice;
  to: string;
  language: Language;
  /** The API token that ends, or the browser that signed in, and when, in milliseconds since 1970. */
  about?: NamedTime;
}

export interface NamedTime {
  name: string;
  time: number;
}
