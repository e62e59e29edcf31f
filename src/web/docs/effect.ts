import type { TextKey } from '../../texts/en.js';
import type { Endpoint } from './open-api.js';

const RETRIEVED = '#/components/schemas/RetrievedPushDto';

/** What a request of the try-out changes on the installation; undefined if it only reads. */
export function effectOf({ method, operation }: Endpoint): TextKey | undefined {
  const content = operation.responses['200']?.content ?? {};
  if (method === 'POST') return 'docs.createsPush';
  if (method === 'DELETE') return 'docs.deletesPush';
  if (method === 'GET' && content['application/json']?.schema?.$ref === RETRIEVED) return 'docs.usesView';
  if (method === 'GET' && 'application/octet-stream' in content) return 'docs.downloadsFile';
  return undefined;
}
