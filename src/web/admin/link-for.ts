import type { NewLink } from '../../auth/links/password-links.service.js';
import type { PasswordLinkToPassOn } from '../views/admin/account.js';

export function linkFor({ token, endsAt }: NewLink, baseUrl: string): PasswordLinkToPassOn {
  return { url: `${baseUrl}/users/password/${token}`, endsAt };
}
