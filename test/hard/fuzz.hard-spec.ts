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
import { responseFaults } from './support/consistency.js';

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
