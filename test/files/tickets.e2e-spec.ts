import { randomBytes } from 'node:crypto';
import request from 'supertest';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { DownloadsService } from '../../src/files/downloads.service.js';
import { StoredFile } from '../../src/files/file.entity.js';
import { FilePurgeService } from '../../src/files/file-purge.service.js';
import { Tickets } from '../../src/files/tickets.js';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import { Keyring } from '../../src/platform/sealing/keyring.js';
import { download, linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { MINUTE_MS } from '../../src/platform/settings/units.js';
import { archiveLink } from '../support/archives.js';

const REFUSED = { status: 403, body: { error: 'This download link is invalid or has expired.' } };
const FILES = [{ name: 'a.txt', content: 'hello' }];

const minutesFrom = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
const ticketIn = (url: string) => url.slice(url.lastIndexOf('/') + 1);

describe('A download link', () => {
  const running = forAllTests(() => startApp({ ALLOW_ANONYMOUS: 'false' }));
  const user = forAllTests(() => running.newUser());

  const find = (url: string, now: Date) =>
    running.app.get(DownloadsService).find(ticketIn(url), '192.0.2.1', now);
  const cleanUp = async (now: Date) => {
    await running.app.get(ExpiryService).expireOverdue(now);
    await running.app.get(FilePurgeService).purge(now);
  };

  it('needs no credentials, even if everything else does', async () => {
    const { url_token } = await pushFiles(user.client, FILES);
    const [url = ''] = await linksOf(user.client, url_token);

    expect(String((await download(url)).bytes)).toBe('hello');
    expect(String((await download(url, { Authorization: 'Bearer wrong' })).bytes)).toBe('hello');
    expect((await running.anonymous.retrieve(url_token)).status).toBe(401);
  });

  it('may be used any number of times', async () => {
    const { url_token } = await pushFiles(user.client, FILES);
    const [url = ''] = await linksOf(user.client, url_token);
    const answers = await Promise.all(Array.from({ length: 20 }, () => download(url)));

    expect(answers.map(({ bytes }) => String(bytes))).toEqual(Array(20).fill('hello'));
  });

  it('works for exactly ten minutes', async () => {
    const { url_token } = await pushFiles(user.client, FILES);
    const before = new Date();
    const [url = ''] = await linksOf(user.client, url_token);
    const after = new Date();

    await expect(find(url, new Date(minutesFrom(before, 10).getTime() - 1))).resolves.toMatchObject({
      filename: 'a.txt',
    });
    await expect(find(url, minutesFrom(after, 10))).rejects.toMatchObject({ status: 403 });
  });

  it('works for its ten minutes after the last view (A6)', async () => {
    const { url_token } = await pushFiles(user.client, FILES, { expire_after_views: '1' });
    const [url = ''] = await linksOf(user.client, url_token);
    const now = new Date();
    await cleanUp(minutesFrom(now, 9));

    expect((await user.client.retrieve(url_token)).body).toMatchObject({ expired: true, files: [] });
    expect(String((await download(url)).bytes)).toBe('hello');
    await expect(find(url, minutesFrom(now, 9))).resolves.toMatchObject({ filename: 'a.txt' });
  });

  it('works for its ten minutes after the time limit (A6)', async () => {
    const { url_token } = await pushFiles(user.client, FILES, { expire_after_duration: '0' });
    const [url = ''] = await linksOf(user.client, url_token);
    // fifteen minutes have passed since the push was created, but not ten since the link was
    const { manager } = running.dataSource;
    const [{ pushId }] = (await manager.find(StoredFile, { order: { id: 'DESC' }, take: 1 })) as [StoredFile];
    await manager.update('Push', { id: pushId }, { expiresAt: new Date(Date.now() - 1) });
    await cleanUp(new Date());

    expect((await user.client.retrieve(url_token)).body).toMatchObject({ expired: true, files: [] });
    expect(String((await download(url)).bytes)).toBe('hello');
  });

  it('ends immediately when the push is deleted, even after its last view (A6, F4)', async () => {
    for (const views of ['1', '5']) {
      const { url_token } = await pushFiles(user.client, FILES, { expire_after_views: views });
      const [url = ''] = await linksOf(user.client, url_token);
      await user.client.delete(`/api/v2/pushes/${url_token}`);

      expect(await running.anonymous.get(new URL(url).pathname)).toMatchObject(REFUSED);
      expect((await running.anonymous.head(new URL(url).pathname)).status).toBe(403);
    }
  });

  it('is rejected when it is forged, altered, truncated or random', async () => {
    const { url_token } = await pushFiles(user.client, FILES);
    const [url = ''] = await linksOf(user.client, url_token);
    const ticket = ticketIn(url);
    const altered = Array.from(ticket, (character, i) =>
      i % 7 === 0 || i > ticket.length - 3
        ? ticket.slice(0, i) + (character === 'A' ? 'B' : 'A') + ticket.slice(i + 1)
        : undefined,
    ).filter((text) => text !== undefined);

    for (const forged of [
      ...altered,
      ticket.slice(0, -1),
      ticket.slice(0, 32),
      ticket.slice(0, 10),
      `${ticket}A`,
      `${ticket}=`,
      `${ticket}!`,
      `%20${ticket}`,
      randomBytes(100).toString('base64url'),
      'x',
      '%00',
      'null',
      '..%2f..%2fetc%2fpasswd',
      'A'.repeat(4000),
    ]) {
      expect(await running.anonymous.get(`/files/${forged}`)).toMatchObject(REFUSED);
    }
  });

  it('is rejected when it was created with another master key', async () => {
    const other = new Tickets(new Keyring([randomBytes(32)]));
    const [row] = (await running.dataSource.manager.find(StoredFile, { take: 1 })) as [StoredFile];
    const file = { subjectId: row.id, dataKey: randomBytes(32), isForOwner: false, allowedNetworks: null };
    const forged = other.seal('ticket', { ...file, validUntil: other.endOfLinks(new Date()) });

    expect(await running.anonymous.get(`/files/${forged}`)).toMatchObject(REFUSED);
  });

  it('without a ticket is not found', async () => {
    expect(await running.anonymous.get('/files/')).toMatchObject({
      status: 404,
      body: { error: 'not-found' },
    });
    expect((await running.anonymous.send('POST', '/files/x')).status).toBe(404);
  });

  it('is created once for each view, however often its downloads are aborted (A2)', async () => {
    const { url_token } = await pushFiles(user.client, FILES, { expire_after_views: '2' });
    const given = [await linksOf(user.client, url_token), await linksOf(user.client, url_token)];
    for (const [url = ''] of given) {
      for (let i = 0; i < 6; i++) await download(url, { Range: 'bytes=0-2' });
    }
    const { body } = await user.client.retrieve(url_token);

    expect(given.flat()).toHaveLength(2);
    expect(body).toMatchObject({ expired: true, views_remaining: 0, files: [] });
    for (const [url = ''] of given) {
      await expect(find(url, minutesFrom(new Date(), 10))).rejects.toMatchObject({ status: 403 });
    }
  });

  it('is audited once, on its first request', async () => {
    const { url_token } = await pushFiles(user.client, [...FILES, ...FILES]);
    const [first = '', second = ''] = await linksOf(user.client, url_token);
    const [third = ''] = await linksOf(user.client, url_token);
    await running.anonymous.head(new URL(first).pathname);
    expect(await auditedDownloads(url_token)).toBe(0);

    await Promise.all(Array.from({ length: 20 }, () => download(first)));
    await download(first, { Range: 'bytes=2-' });
    expect(await auditedDownloads(url_token)).toBe(1);

    await Promise.all([second, third].map((url) => download(url, { Range: 'bytes=1-' })));
    expect(await auditedDownloads(url_token)).toBe(3);
  });

  it('is audited with its client, at most two thousand times for a push (I3)', async () => {
    const { url_token } = await pushFiles(user.client, FILES);
    const links = [];
    for (let i = 0; i < 3; i++) links.push(...(await linksOf(user.client, url_token)));
    const { manager } = running.dataSource;
    const [{ pushId }] = (await manager.find(StoredFile, { order: { id: 'DESC' }, take: 1 })) as [StoredFile];
    await manager.update(StoredFile, { pushId }, { downloadsAudited: 1999 });
    const answers = await Promise.all(
      links.map((url) => download(url, { 'User-Agent': 'curl/9', Referer: `http://x/${url_token}` })),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const entries = await manager.findBy(AuditEntry, { pushId, kind: 'file_download' });
    expect(entries).toMatchObject([{ userAgent: 'curl/9', referrer: 'http://x' }]);
  });

  async function auditedDownloads(urlToken: string): Promise<number> {
    const { body } = await user.client.get(`/api/v2/pushes/${urlToken}/audit`);
    return body.logs.filter(({ kind }: { kind: string }) => kind === 'file_download').length;
  }
});

/** As browsers send it when a person opens a link. */
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const NAVIGATION = { Accept: HTML, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const ERROR = 'This download link is invalid or has expired.';

describe('A download link that has ended', () => {
  const running = forAllTests(() => startApp({ FILES_REQUIRE_AUTHENTICATION: 'false' }));
  let paths: string[];

  beforeAll(async () => {
    const { client } = await running.newUser();
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, content: 'tulip' }));
    const { url_token } = await pushFiles(client, files);
    const urls = [...(await linksOf(client, url_token)), await archiveLink(running.url, url_token)];
    await client.delete(`/api/v2/pushes/${url_token}`);
    paths = [...urls.map((url) => new URL(url).pathname), '/files/x', '/files/all/x/y'];
  });

  /** By an HTTP client that adds no headers, as `fetch` does. */
  const get = async (headers: Record<string, string>) => {
    const answers = paths.map((path) => request(running.url).get(path).set(headers));
    return (await Promise.all(answers)).map(({ status, headers: sent, body, text }) => ({
      status,
      headers: new Headers(sent),
      body: body as unknown,
      text,
    }));
  };

  it.each([NAVIGATION, { Accept: HTML }])(
    'is a page when a person opens it in a browser: %j',
    async (headers) => {
      for (const { status, headers: sent, text } of await get(headers)) {
        expect([403, 404]).toContain(status);
        expect(sent.get('content-type')).toBe('text/html; charset=utf-8');
        expect(sent.get('content-security-policy')).toContain("default-src 'none'");
        expect(sent.get('cache-control')).toBe('no-store, no-transform');
        expect(text).toContain('This download link has expired');
        expect(text).not.toContain(ERROR);
      }
    },
  );

  it.each<Record<string, string>>([
    {},
    { Accept: '*/*' },
    { Accept: 'application/json' },
    { Accept: 'application/json, text/html;q=0.5' },
    { Accept: HTML, 'Sec-Fetch-Mode': 'cors' },
    { Accept: 'text/html;q=0' },
    { Accept: ',;q=,' },
  ])('is JSON for programs and scripts: %j', async (headers) => {
    for (const { status, body } of await get(headers))
      expect(body).toEqual({ error: status === 404 ? 'not-found' : ERROR });
  });

  it('is JSON for other methods and paths, whatever they accept', async () => {
    const browser = request(running.url);

    const posted = await browser.post('/files/x').set(NAVIGATION);
    const listed = await browser.get('/api/v2/pushes/active').set(NAVIGATION);

    expect(posted.body).toEqual({ error: 'not-found' });
    expect(listed.body).toEqual({ error: expect.any(String) });
  });
});
