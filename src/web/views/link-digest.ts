import { createHash } from 'node:crypto';

/** The digest by which a tab remembers that it has opened a link. The link cannot be computed from it. */
export function linkDigest(urlToken: string): string {
  return createHash('sha256').update(`opened in this tab: ${urlToken}`).digest('base64url');
}
