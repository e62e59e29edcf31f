import type { User } from '../entities/user.entity.js';

/**
 * Whether mails about its pushes are sent to an account, or for it to others. Its email address must be known to be its
 * own: that of an account that was created by signing up may be somebody else's.
 */
export function canBeMailed({ emailUnverified, disabledAt }: User): boolean {
  return !emailUnverified && disabledAt === null;
}
