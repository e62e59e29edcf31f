import { isEmail } from 'class-validator';
import { User } from '../entities/user.entity.js';
import { Problem } from '../../platform/errors/problem.js';

/** What is wrong with an email address before or after normalization; undefined when it is valid. */
export function emailError(email: string): Problem | undefined {
  return isEmail(User.normalizeEmail(email)) ? undefined : new Problem('email_invalid');
}
