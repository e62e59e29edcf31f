import { COMMON_PASSWORDS } from './common-passwords.js';
import { Problem } from '../../platform/errors/problem.js';
import { isInvisible } from '../../shared/invisible-text.js';

const SHORTEST = 10;
const LONGEST = 128;

/** What is wrong with a password for the account with this email address; undefined when it is acceptable. */
export function passwordError(password: string, email?: string): Problem | undefined {
  const { length } = Array.from(password);
  if (length < SHORTEST || length > LONGEST)
    return new Problem('password_length', { min: SHORTEST, max: LONGEST });

  const plain = password.toLowerCase();
  const isSimple = new Set(plain).size < 4 || isInvisible(plain);
  if (isSimple || COMMON_PASSWORDS.has(plain) || plain === email) {
    return new Problem('password_weak');
  }
  return undefined;
}
