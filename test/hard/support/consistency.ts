import { errorsOf, paths } from '../../support/openapi.js';
import type { Exchanged } from './exchange.js';
import type { HostileRequest } from './hostile-requests.js';
import { isWhole } from './hostile-requests.js';
import { MARKER } from './hostile-values.js';

/** Statuses of responses that the OpenAPI document does not cover: unknown paths, pages, and unreadable requests. */
const OTHER_STATUSES = [200, 201, 204, 206, 303, 400, 401, 403, 404, 408, 413, 415, 416, 417, 422, 429, 431];

/** Bytes that fit into the buffers of a connection. */
const SENT_AT_ONCE = 32 * 1024;
const UNREADABLE = /^The request cannot be read: /;
/** This response is sent before the operation of the request is known. */
const DOUBLED_HOST = 'There must be one Host header.';

/** In front of a path of version 1. */
const LOCALE_OF_LEGACY = /^\/[a-z]{2}(?:-[A-Z]{2})?(?=\/[pfr](?:\/.+)?\.json\/?$)/;

/** The fields of the sender's form that are shown again as they were typed, because they are no secrets, and the path of a page. */
const SHOWN_AGAIN =
  /<(textarea|input)[^>]* name="(?:next|push\[(?:name|note|notify_emails_to|recipients|expire_after_days|expire_after_views|expire_after_first_view|opens_at_local|allowed_networks)\])"[^>]*>(?:[^<]*<\/textarea>)?/g;

function withoutShownAgain(page: string): string {
  return page.replace(SHOWN_AGAIN, '');
}

/** What is wrong with a response, whatever the request was. */
export function responseFaults(request: HostileRequest, response: Exchanged | undefined): unknown[] {
  if (!response) return isWhole(request) && !mayBeReset(request) ? ['no answer'] : [];
  const { status, headers, body, text } = response;
  const faults: unknown[] = [];

  const isUnreadable = UNREADABLE.test(body.error as string);
  const isForNone = isUnreadable || body.error === DOUBLED_HOST;
  const operation = isForNone ? undefined : operationOf(request);
  if (operation) faults.push(...errorsOf(operation.method, operation.path, response));
  else if (!OTHER_STATUSES.includes(status)) faults.push(`status ${status}`);
  if (status >= 400 && withoutShownAgain(text).includes(MARKER)) faults.push('a secret in an error');

  if (headers.get('cache-control') !== 'no-store, no-transform' && !isForAll(request))
    faults.push('may be cached');
  if (!isUnreadable && !headers.has('x-request-id')) faults.push('no id');
  if (!isUnreadable && headers.get('x-content-type-options') !== 'nosniff') faults.push('may be sniffed');
  if (status === 401 && headers.get('www-authenticate') !== 'Bearer') faults.push('no challenge');
  if (isPage(response) && !headers.has('content-security-policy')) faults.push('no content security policy');
  return faults;
}

/**
 * A request that cannot be read ends the connection immediately. A client that is still sending then loses the response,
 * because its operating system discards it after a reset (RFC 9112, 9.6).
 */
function mayBeReset({ body }: HostileRequest): boolean {
  return (body?.bytes.length ?? 0) > SENT_AT_ONCE;
}

function isPage({ headers }: Exchanged): boolean {
  return headers.get('content-type')?.startsWith('text/html') ?? false;
}

/** Our own assets contain no secrets and may be cached. */
function isForAll({ target }: HostileRequest): boolean {
  return /assets|docs|favicon|robots/.test(target);
}

/** The documented operation of a request; undefined for spellings of paths that are not guaranteed to work. */
export function operationOf({
  method,
  target,
}: HostileRequest): { method: string; path: string } | undefined {
  const wanted = modern(normalized(target));
  const path = Object.keys(paths)
    .sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
    .find((known) => new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+')}$`).test(wanted));
  if (path === undefined) return undefined;

  const item = paths[path];
  const known = method.toLowerCase();
  return method === method.toUpperCase() && item[known] ? { method: known, path } : undefined;
}

/** The path without its query, in the canonical spelling of its variants under /api. */
function normalized(target: string): string {
  const path = target.replace(/\?.*$/s, '');
  if (!/^\/[^#]*$/s.test(path) || /\.json\.json/.test(path)) return '';
  const tidy = path.replace(/\/{2,}/g, '/').replace(LOCALE_OF_LEGACY, '');
  if (/^\/(api\/|[pfr]\/|[pfr]\.json)/.test(tidy))
    return tidy.replace(/\/$/, '').replace(/^(\/api\/.*)\.json$/, '$1');
  return path;
}

/** Maps paths of version 1 to those of version 2. */
function modern(path: string): string {
  const [, rest] = /^\/[pfr](\/.+)?\.json$/.exec(path) ?? [];
  if (/^\/[pfr]\.json$/.test(path)) return '/api/v2/pushes';
  return rest === undefined || rest.endsWith('/audit') ? path : `/api/v2/pushes${rest}`;
}
