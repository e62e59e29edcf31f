import type { NewLink } from '../../auth/links/password-links.service.js';

/** A link as an administrator passes it on. */
export interface PasswordLinkToPassOn {
  url: string;
  endsAt: Date;
}

export function linkFor({ token, endsAt }: NewLink, baseUrl: string): PasswordLinkToPassOn {
  return { url: `${baseUrl}/users/password/${token}`, endsAt };
}
