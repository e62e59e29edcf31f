import type { Endpoint } from './open-api.js';

const RETRIEVED = '#/components/schemas/RetrievedPushDto';

/** What a request of the try-out changes on the installation; undefined if it only reads. */
export function effectOf({ method, operation }: Endpoint): string | undefined {
  const content = operation.responses['200']?.content ?? {};
  if (method === 'POST') return 'This creates a real push on this installation.';
  if (method === 'DELETE') return 'This deletes a real push. It cannot be undone.';
  if (method === 'GET' && content['application/json']?.schema?.$ref === RETRIEVED)
    return 'This spends one view of a real push; the last view ends it. A wrong passphrase counts as an attempt.';
  if (method === 'GET' && 'application/octet-stream' in content)
    return 'This downloads a real file. The first download is recorded in the audit log of the push.';
  return undefined;
}
