import { isEmail } from 'class-validator';
import { User } from './user.entity.js';

/** What is wrong with an e-mail address, in any of its forms; undefined when it will do. */
export function emailFault(email: string): string | undefined {
  return isEmail(User.normalizeEmail(email)) ? undefined : 'This is not an e-mail address.';
}
