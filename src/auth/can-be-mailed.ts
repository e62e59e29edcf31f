import type { User } from './user.entity.js';

/**
 * Whether mails about its pushes are sent to an account. Its address must be known to be its own: that of an account
 * that was created by signing up may be somebody else's.
 */
export function canBeMailed({ signedUp, disabledAt }: User): boolean {
  return !signedUp && disabledAt === null;
}
