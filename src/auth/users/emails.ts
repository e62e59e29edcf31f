import { isEmail } from 'class-validator';
import { User } from '../entities/user.entity.js';

/** What is wrong with an email address before or after normalization; undefined when it is valid. */
export function emailError(email: string): string | undefined {
  return isEmail(User.normalizeEmail(email)) ? undefined : 'This is not an email address.';
}
