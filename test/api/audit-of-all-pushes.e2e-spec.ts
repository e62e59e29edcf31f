import { Log } from '../../src/platform/logging/log.js';
import { AuditChainService } from '../../src/pushes/audit-log/audit-chain.service.js';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import type { BrokenChain } from '../../src/pushes/audit-log/audit-verification.service.js';
import { AuditVerificationService } from '../../src/pushes/audit-log/audit-verification.service.js';
import { AuditLogService, AuditRange } from '../../src/pushes/audit-log/audit-log.service.js';
import { AccountRemovalService } from '../../src/pushes/account-removal/account-removal.service.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { PushRepository } from '../../src/pushes/push/push.repository.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import type { AuditLine } from '../support/audit-log.js';
import { auditLines, expectedDigests, linesOf, linesOfKind, sha256 } from '../support/audit-log.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { fillAuditLog } from '../support/fill-audit-log.js';
import { download, linksOf, pushFiles } from '../support/files.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { after } from '../support/new-pushes.js';
import { startApp } from '../support/start-app.js';

const LONG = 6000;

describe('The audit log of all pushes of an account', () => {
  const running = forAllTests(() => startApp({ RETENTION_DAYS: '1', TRUSTED_PROXIES: '127.0.0.1' }));
  const owner = forEachTest(() => running.newUser());

  const idOf = async (urlToken: string) => (await running.app.get(PushRepository).find(urlToken, {})).id;

  /** A push whose log is long; the log is chained, so that the requests of a test do not do it. */
  async function longLog(count = LONG): Promise<string> {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    await fillAuditLog(running.dataSource, await idOf(url_token), count - 1);
    await running.app.get(AuditChainService).chainNewEntries();
    return url_token;
  }

  it('has a line for each entry of each of its pushes, oldest first', async () => {
    const client = owner.client.with({ 'User-Agent': 'curl/8' });
    const text = await client.push({ payload: 'tulip', passphrase: 'horse' });
    const link = await client.push({ payload: 'https://example.org', kind: 'url', name: 'spring' });
    const reader = running.anonymous.with({
      'User-Agent': 'Fire"fox\\ \u00e9\u00ff',
      Referer: `https://example.org/mail?id=1`,
      'X-Forwarded-For': '2001:db8::1',
    });
    await reader.retrieve(text.url_token, 'wrong');
    const { body } = await reader.retrieve(text.url_token, 'horse');
    await client.delete(`/api/v2/pushes/${link.url_token}`);

    const answer = await client.get('/api/v2/audit');
    const lines = linesOf(answer.body);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(
      lines.map(({ id, push, push_kind, kind, by_owner }) => [id, push, push_kind, kind, by_owner]),
    ).toEqual([
      [1, sha256(text.url_token), 'text', 'creation', true],
      [2, sha256(link.url_token), 'url', 'creation', true],
      [3, sha256(text.url_token), 'text', 'failed_passphrase', false],
      [4, sha256(text.url_token), 'text', 'view', false],
      [5, sha256(link.url_token), 'url', 'expire', true],
    ]);
    expect(lines[3]).toEqual({
      id: 4,
      push: sha256(text.url_token),
      push_kind: 'text',
      kind: 'view',
      ip: '2001:db8::1',
      user_agent: expect.stringContaining('Fire"fox'),
      referrer: 'https://example.org/mail?id=1',
      by_owner: false,
      created_at: body.updated_at,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(lines.map(({ digest }) => digest)).toEqual(expectedDigests(answer.body));
    for (const secret of [text.url_token, link.url_token, 'tulip', 'horse', 'spring'])
      expect(answer.body).not.toContain(secret);
  });

  it('has downloads as well, with the number of the file, which the chain covers', async () => {
    const { url_token } = await pushFiles(owner.client, [
      { name: 'a', content: 'tulip' },
      { name: 'b', content: 'rose' },
    ]);
    for (const url of (await linksOf(running.anonymous, url_token as string)).reverse()) await download(url);

    const { body } = await owner.client.get('/api/v2/audit');
    const lines = linesOf(body);
    expect(lines.map(({ kind, push_kind, file }) => [kind, push_kind, file])).toEqual([
      ['creation', 'file', undefined],
      ['view', 'file', undefined],
      ['file_download', 'file', 2],
      ['file_download', 'file', 1],
    ]);
    expect(lines.map(({ digest }) => digest)).toEqual(expectedDigests(body));
    await running.dataSource.manager.update(AuditEntry, { fileNumber: 2 }, { fileNumber: 1 });
    const broken: BrokenChain[] = [];
    await running.app.get(AuditVerificationService).verify((chain) => broken.push(chain));
    expect(broken).toContainEqual({ push: sha256(url_token as string), brokenAt: 3 });
  });

  it('is read in parts, from an entry on', async () => {
    for (let i = 0; i < 5; i++) await owner.client.push({ payload: 'tulip' });
    const ids = async (query: string) => (await auditLines(owner.client, query)).map(({ id }) => id);

    expect(await ids('')).toEqual([1, 2, 3, 4, 5]);
    expect(await ids('?after=0')).toEqual([1, 2, 3, 4, 5]);
    expect(await ids('?limit=2')).toEqual([1, 2]);
    expect(await ids('?after=2&limit=2')).toEqual([3, 4]);
    expect(await ids('?after=4&limit=10000')).toEqual([5]);
    expect(await ids('?after=5')).toEqual([]);
    expect(await ids('?after=999999999999999')).toEqual([]);
    await owner.client.push({ payload: 'rose' });
    expect(await ids('?after=5')).toEqual([6]);
  });

  it('has 1000 lines unless more are asked for', async () => {
    await longLog(2100);

    expect(await auditLines(owner.client)).toHaveLength(1000);
    expect(await auditLines(owner.client, '?limit=2099')).toHaveLength(2099);
    expect(await auditLines(owner.client, '?limit=10000')).toHaveLength(2100);
    expect((await auditLines(owner.client, '?after=1990&limit=10')).map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, i) => 1991 + i),
    );
  });

  it.each([
    ['after=', /^after must be/],
    ['after=-1', /^after must be/],
    ['after=1e3', /^after must be/],
    ['after=%31%00', /^after must be/],
    ['after=1&after=2', /^after must be/],
    ['after=9999999999999999', /^after must be/],
    ['limit=0', /^limit must be/],
    ['limit=10001', /^limit must be/],
    ['limit=all', /^limit must be/],
    ['limit=1&limit=1', /^limit must be/],
  ])('is not read with ?%s', async (query, error) => {
    const { status, headers, body } = await owner.client.get(`/api/v2/audit?${query}`);

    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({ error: expect.stringMatching(error) });
  });

  it('needs a token, which is checked before the range (C8)', async () => {
    const wrong = running.anonymous.with({ Authorization: 'Bearer wrong' });
    for (const client of [running.anonymous, wrong]) {
      const { status, headers, body } = await client.get('/api/v2/audit?limit=0');
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(body).toEqual({ error: expect.any(String) });
    }
  });

  it('works with every spelling of the path and every Accept', async () => {
    await owner.client.push({ payload: 'tulip' });
    const paths = ['/api/v2/audit', '/api/v2/audit.json', '/api/v2/audit/', '//api//v2/audit'];
    for (const Accept of ['*/*', 'application/json', 'text/html', 'application/x-ndjson']) {
      for (const path of paths) {
        const { status, headers, body } = await owner.client.with({ Accept }).get(path);
        expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
        expect(linesOf(body)).toHaveLength(1);
      }
    }
    expect((await owner.client.send('POST', '/api/v2/audit')).status).toBe(404);
  });

  it('has nothing of other accounts, nor of pushes without an owner (C7)', async () => {
    const other = await running.newUser();
    await allAtOnce(30, async (i) => {
      const client = [owner.client, other.client, running.anonymous][i % 3] ?? owner.client;
      const { url_token } = await client.push({ payload: 'tulip' });
      await owner.client.retrieve(url_token);
    });
    const [own, others] = [await auditLines(owner.client), await auditLines(other.client)];

    expect(own).toHaveLength(20);
    expect(others).toHaveLength(20);
    expect(own.map(({ id }) => id)).toEqual(others.map(({ id }) => id)); // not even how many there are
    const pushes = (lines: AuditLine[]) => new Set(lines.map(({ push }) => push));
    expect([...pushes(own)].filter((push) => pushes(others).has(push))).toEqual([]);
  });

  it('loses the entries of removed pushes, and gives their ids to no others', async () => {
    const first = await owner.client.push({ payload: 'tulip', expire_after_views: 1 });
    await running.anonymous.retrieve(first.url_token);
    await auditLines(owner.client);
    await running.app.get(Jobs).run('expiry', after(new Date(), 2 * DAY_MS));
    expect(await auditLines(owner.client)).toEqual([]);

    const second = await owner.client.push({ payload: 'rose' });
    expect(await auditLines(owner.client, '?after=2')).toEqual([
      expect.objectContaining({ id: 3, push: sha256(second.url_token) }),
    ]);
  });

  it('leaves nothing of an account that is deleted', async () => {
    await owner.client.push({ payload: 'tulip' });
    await auditLines(owner.client);
    await running.app.get(AccountRemovalService).remove(owner);

    expect(await running.query('SELECT * FROM audit_sequences WHERE id = ?', [owner.id])).toEqual([]);
    expect(await running.query('SELECT * FROM audit_entries WHERE owner_id = ?', [owner.id])).toEqual([]);
    expect((await owner.client.get('/api/v2/audit')).status).toBe(401);
  });

  it('misses no entry and repeats none while many are written, however often it is read (A1)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 100 });
    const seen: AuditLine[] = [];
    let isOver = false;
    const poll = async () => {
      for (let last = false; !last;) {
        last = isOver;
        seen.push(...(await auditLines(owner.client, `?after=${seen.at(-1)?.id ?? 0}&limit=7`)));
        if (last) last = (await auditLines(owner.client, `?after=${seen.at(-1)?.id ?? 0}`)).length === 0;
      }
    };
    const write = async () => {
      await allAtOnce(60, () => running.anonymous.retrieve(url_token));
      await allAtOnce(40, () => owner.client.push({ payload: 'tulip' }));
      isOver = true;
    };
    await Promise.all([poll(), write()]);

    expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: 101 }, (_, i) => i + 1));
    expect(linesOfKind(seen)).toEqual({ creation: 41, view: 60 });
  });

  it('is read from the database only as fast as the client reads it, and no longer (I6)', async () => {
    await longLog();
    const log = running.app.get(AuditLogService);
    const pages = jest.spyOn(log as unknown as { batchOfOwner: () => Promise<unknown> }, 'batchOfOwner');
    const { signal } = new AbortController();
    const content = await log.ofOwner(owner.id, AuditRange.parse(undefined, '10000'), signal);
    await owner.client.get('/api/v2/pushes/active'); // time in which more could be read

    const readAhead = pages.mock.calls.length;
    content.destroy();
    await eventually(() => content.closed);
    await owner.client.get('/api/v2/pushes/active');
    expect(readAhead).toBeLessThanOrEqual(3);
    expect(pages.mock.calls.length).toBe(readAhead);
    pages.mockRestore();
  });

  it('is cut off, not ended, when a later page cannot be read', async () => {
    await longLog();
    const log: any = running.app.get(AuditLogService);
    const page = log.batchOfOwner.bind(log) as (...of: unknown[]) => unknown;
    const pages = jest
      .spyOn(log, 'batchOfOwner')
      .mockImplementationOnce(page)
      .mockRejectedValueOnce(new Error('no such page'));
    jest.spyOn(running.app.get(Log), 'failure').mockReturnValue(undefined);

    await expect(auditLines(owner.client, '?limit=10000')).rejects.toThrow('terminated');
    expect(pages).toHaveBeenCalledTimes(2);
    pages.mockRejectedValueOnce(new Error('no such page'));
    expect((await owner.client.get('/api/v2/audit')).status).toBe(500);
    jest.restoreAllMocks();
  });

  it('is not read at one go: each page is read in another turn of the event loop (I6)', async () => {
    await longLog();
    let turn = 0;
    let isRead = false;
    const count = () => {
      turn += 1;
      if (!isRead) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    const log: any = running.app.get(AuditLogService);
    const page = log.batchOfOwner.bind(log) as (...of: unknown[]) => unknown;
    const pages = jest.spyOn(log, 'batchOfOwner').mockImplementation((...of: unknown[]) => {
      turns.push(turn);
      return page(...of);
    });
    const lines = await auditLines(owner.client, '?limit=10000').finally(() => (isRead = true));
    pages.mockRestore();

    expect(lines).toHaveLength(LONG);
    expect(turns).toHaveLength(LONG / 500 + 1);
    expect([...new Set(turns)]).toEqual(turns);
  });
});
