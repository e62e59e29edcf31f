import type { IncomingHttpHeaders } from 'node:http';

/**
 * The API token that a request brings, from its headers alone: a token in an address or a body is none, because
 * addresses are logged and bodies are forged. The e-mail address beside `X-User-Token` only makes the pair complete;
 * it is not compared. See docs/api.md, Authentication, for the forms.
 */
export function readToken(headers: IncomingHttpHeaders): string | undefined {
  const email = headers['x-user-email'];
  const token = headers['x-user-token'];
  if (typeof email === 'string' && typeof token === 'string') return token.trim();

  const [scheme, ...rest] = headers.authorization?.trim().split(/\s+/) ?? [];
  if (!scheme) return undefined;
  if (/^(bearer|token)$/i.test(scheme)) return rest.join(' ');
  return rest.length === 0 ? scheme : undefined; // such as the Basic of a proxy in front
}
