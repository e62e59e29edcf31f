import type { IncomingHttpHeaders } from 'node:http';

/** What a request brings to say whose it is. */
export interface Credentials {
  token: string;
  /** When given, the token must be this account's. */
  email?: string;
}

/**
 * The credentials of a request, from its headers alone: a token in an address or a body is none, because
 * addresses are logged and bodies are forged. See docs/api.md, Authentication, for the forms.
 */
export function readCredentials(headers: IncomingHttpHeaders): Credentials | undefined {
  const email = headers['x-user-email'];
  const token = headers['x-user-token'];
  if (typeof email === 'string' && typeof token === 'string') return { token: token.trim(), email };

  const [scheme, ...rest] = headers.authorization?.trim().split(/\s+/) ?? [];
  if (!scheme) return undefined;
  if (/^(bearer|token)$/i.test(scheme)) return { token: rest.join(' ') };
  return rest.length === 0 ? { token: scheme } : undefined; // such as the Basic of a proxy in front
}
