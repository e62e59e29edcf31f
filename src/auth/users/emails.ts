import { isEmail } from 'class-validator';
import { MAX_EMAIL, User } from '../entities/user.entity.js';
import { Problem } from '../../platform/errors/problem.js';

/** What could end an email address in a header, or is invisible: control and format characters, spaces, and syntax. */
const SUSPICIOUS = /[\p{C}\p{Z}\s"(),:;<>[\\\]]/u;

/** What is wrong with an email address before or after normalization; undefined when it is valid. */
export function emailError(email: string): Problem | undefined {
  return isEmail(User.normalizeEmail(email)) ? undefined : new Problem('email_invalid');
}

/**
 * Whether mails about its pushes are sent to an account, or for it to others. Its email address must be known to be its
 * own: that of an account that was created by signing up may be somebody else's.
 */
export function canBeMailed({ emailUnverified, disabledAt }: User): boolean {
  return !emailUnverified && disabledAt === null;
}

/** Whether a mail may be sent to it, or name it: it can neither end a header nor look like another one. */
export function isPlainEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && !SUSPICIOUS.test(text) && isEmail(text);
}

/** The email address of an account as the sender of something, if it is its own and may be named. */
export function emailToName(sender: User): string | undefined {
  return canBeMailed(sender) && isPlainEmail(sender.email) ? sender.email : undefined;
}
