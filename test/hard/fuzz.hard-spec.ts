import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import type { Client } from '../support/client.js';
import { pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { cli } from '../support/spawn-server.js';
import type { Exchanged } from './support/exchange.js';
import { exchange } from './support/exchange.js';
import { excerpt, keptExcerpt } from './support/excerpt.js';
import type { Fixtures, HostileRequest } from './support/hostile-requests.js';
import { anyCreation, anyRequest, bytesOf, isWhole, QUOTABLE_CREATIONS } from './support/hostile-requests.js';
import { MARKER } from './support/hostile-values.js';
import { LONGEST_MS, TRIES } from './support/least-cost.js';
import { spawnObserved } from './support/observed-server.js';
import { runs } from './support/seeded.js';
import { errorsOf, paths } from '../support/openapi.js';

/** Statuses of responses that the OpenAPI document does not cover: unknown paths, pages, and unreadable requests. */
const OTHER_STATUSES = [
  200, 201, 204, 206, 303, 400, 401, 403, 404, 408, 412, 413, 415, 416, 417, 422, 429, 431,
];

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
function responseFaults(request: HostileRequest, response: Exchanged | undefined): unknown[] {
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
function operationOf({ method, target }: HostileRequest): { method: string; path: string } | undefined {
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

const RENEW_AFTER = 100;

describe('Hostile input', () => {
  const instance = forAllTests(makeInstance);
  const server = forAllTests(() => spawnObserved(instance, { LOG_LEVEL: 'debug' }));
  let owner: Client;
  let apiToken: string;
  let fixtures: Fixtures;
  let asked = 0;
  let unread = '';

  beforeAll(async () => {
    server.process.stdout?.on('data', (chunk: Buffer) => (unread += chunk.toString()));
    server.process.stderr?.on('data', (chunk: Buffer) => (unread += chunk.toString()));
    const { stdout } = await cli(instance, 'user:create', `${randomUUID()}@example.org`);
    apiToken = JSON.parse(stdout).token;
    owner = server.anonymous.with({ Authorization: `Bearer ${apiToken}` });
  });

  it('in a body creates a push that is returned as it was sent, or an error that reveals nothing', async () => {
    const created = { yes: 0, no: 0 };
    await fc.assert(
      fc.asyncProperty(anyCreation, async (request) => {
        const answer = await send(request);
        created[answer?.status === 201 ? 'yes' : 'no'] += 1;
        if (answer?.status === 201) await expectKept(request, answer);
      }),
      runs(10_000, 300),
    );

    expect(created.yes).toBeGreaterThan((created.yes + created.no) / 10); // otherwise the test proves little
  });

  it.each(QUOTABLE_CREATIONS)('that errors might quote is not quoted (%#)', async (request) => {
    await send(request);
  });

  it('in any request gets a documented response', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        await send(request);
      }),
      runs(10_000, 300),
    );
  });

  it('leaves no trace in the log, and the server still works', async () => {
    const { url_token } = await owner.push({ payload: 'tulip' });

    expect((await server.anonymous.retrieve(url_token)).body.payload).toBe('tulip');
    expect(server.process.exitCode).toBeNull();
    const lines = server.output().split('\n');
    expect(lines.some((line) => line.includes('"msg":"request"'))).toBe(true);
    expect(lines.find((line) => line.includes(MARKER))).toBeUndefined();
  });

  async function send(request: HostileRequest): Promise<Exchanged | undefined> {
    if (asked++ % RENEW_AFTER === 0) fixtures = await makeFixtures();
    await server.longestBlock();
    const ask = () => exchange(server.url, bytesOf(request, fixtures), isWhole(request));
    const answer = await ask();
    const faults = responseFaults(request, answer);
    const hold = await leastBlock(ask);
    if (hold >= LONGEST_MS) faults.push(`the event loop was blocked for ${hold} ms`);
    if (unread.includes(MARKER)) faults.push('a secret in the log');
    if (/"level":"error"|Warning: /.test(unread)) faults.push(keptExcerpt(unread));
    unread = '';
    if (faults.length > 0)
      throw new Error(`${inspect(faults)} in the response ${keptExcerpt(answer?.text ?? '')}`);
    return answer;
  }

  /** How long the last request blocked the event loop; if long, the shortest time of a few tries. */
  async function leastBlock(ask: () => Promise<unknown>): Promise<number> {
    let least = await server.longestBlock();
    for (let tries = 1; tries < TRIES && least >= LONGEST_MS; tries++) {
      await ask();
      least = Math.min(least, await server.longestBlock());
    }
    return least;
  }

  /** A created push is as it was sent, and is shown exactly as often as allowed. */
  async function expectKept({ body }: HostileRequest, { body: push }: Exchanged): Promise<void> {
    const sent = body?.push;
    const passphrase = sent?.passphrase as string | null | undefined;
    const retrieve = () =>
      server.anonymous
        .with(passphrase ? { 'X-Push-Passphrase': encodeURIComponent(passphrase.normalize('NFD')) } : {})
        .get(`/api/v2/pushes/${push.url_token}`);
    if (passphrase && !sent) return;
    if (!sent && push.passphrase_required) return;

    const shown = (await retrieve()).body;
    expect(shown.expired).toBe(false);
    if (sent) {
      expect(excerpt(shown.payload)).toBe(excerpt(sent.payload ?? ''));
      expect(push.name).toBe(sent.name ?? '');
      expect(push.note).toBe(sent.note ?? '');
      expect(push.expire_after_views).toBe(Number(sent.expire_after_views ?? 5) || 5); // empty text counts as absent
    }
    if (push.expire_after_views > 3 || passphrase) return;
    for (let views = 2; views <= push.expire_after_views; views++)
      expect(excerpt((await retrieve()).body.payload)).toBe(excerpt(shown.payload));
    const { expired, payload } = (await retrieve()).body;
    expect([expired, excerpt(payload)]).toEqual([true, null]);
  }

  async function makeFixtures(): Promise<Fixtures> {
    const many = { payload: `${MARKER}tulip`, expire_after_views: 100 };
    const ended = await owner.push({ payload: 'tulip' });
    await owner.delete(`/api/v2/pushes/${ended.url_token}`);
    const withFile = await pushFiles(owner, [{ name: 'a.txt', content: 'tulips' }]);
    const [{ url }] = (await owner.retrieve(withFile.url_token)).body.files;
    return {
      open: (await owner.push(many)).url_token,
      protected: (await owner.push({ ...many, passphrase: 'right' })).url_token,
      deletable: (await server.anonymous.push({ ...many, deletable_by_viewer: true })).url_token,
      ended: ended.url_token,
      ticket: new URL(url as string).pathname.replace('/files/', ''),
      apiToken,
    };
  }
});
