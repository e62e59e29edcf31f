import type { Request } from 'express';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a request comes from one of our pages, or from no page at all. Browsers send this in `Sec-Fetch-Site`, or in
 * `Origin` where the connection is not secure. A request with neither is accepted only if it has no cookie.
 */
export function isSameOrigin({ method, headers }: Request, publicUrl: string): boolean {
  if (SAFE_METHODS.includes(method)) return true;

  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin !== undefined) return isOurOrigin(headers.origin, headers.host, publicUrl);
  return headers.cookie === undefined;
}

function isOurOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  const url = URL.parse(origin); // "null" is no URL
  return url !== null && (url.host === host?.toLowerCase() || url.origin === new URL(publicUrl).origin);
}
