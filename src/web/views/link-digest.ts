import { createHash } from 'node:crypto';

/** By which a tab remembers that it has opened a link. It neither leads to the link nor is it stored by the server. */
export function linkDigest(urlToken: string): string {
  return createHash('sha256').update(`opened in this tab: ${urlToken}`).digest('base64url');
}
