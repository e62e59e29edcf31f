import type { Request } from 'express';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a request comes from a page of ours, or from no page at all. Browsers say so in `Sec-Fetch-Site`, or where
 * the connection is not trustworthy in `Origin`; one that says neither is believed only when it brings no cookie.
 */
export function isOurOwn({ method, headers }: Request, publicUrl: string): boolean {
  if (SAFE_METHODS.includes(method)) return true;

  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin !== undefined) return isOurOrigin(headers.origin, headers.host, publicUrl);
  return headers.cookie === undefined;
}

function isOurOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  const url = URL.parse(origin); // "null" is none
  return url !== null && (url.host === host?.toLowerCase() || url.origin === new URL(publicUrl).origin);
}
