import type { IncomingHttpHeaders } from 'node:http';

/**
 * The API token of a request, read only from its headers: URLs are logged and bodies can be forged by other sites, so
 * a token there is ignored. `X-User-Email` must be present together with `X-User-Token`, but is not compared.
 * See docs/api.md, Authentication, for the forms.
 */
export function readToken(headers: IncomingHttpHeaders): string | undefined {
  const email = headers['x-user-email'];
  const token = headers['x-user-token'];
  if (typeof email === 'string' && typeof token === 'string') return token.trim();

  const [scheme, ...rest] = headers.authorization?.trim().split(/\s+/) ?? [];
  if (!scheme) return undefined;
  if (/^(bearer|token)$/i.test(scheme)) return rest.join(' ');
  return rest.length === 0 ? scheme : undefined; // another scheme, such as Basic for a proxy in front
}
