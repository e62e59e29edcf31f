import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { someNewPush } from '../support/new-pushes.js';
import { startApp } from '../support/start-app.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { pushFiles } from '../support/files.js';
import { asData, newSignedInUser, PageClient, withoutOwnPath } from '../support/page-client.js';
import { PREVIEWERS } from '../support/previewers.js';

const UNKNOWN = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

describe('/p/:token', () => {
  const running = forAllTests(startApp);
  const stranger = forEachTest(() => new PageClient(running.url));

  const share = (fields: object = {}) => running.anonymous.push({ payload: 'correct horse', ...fields });
  const viewsRemaining = async () => {
    const [push] = await running.dataSource.manager.find(Push, { order: { id: 'DESC' }, take: 1 });
    return push?.viewsRemaining();
  };
  const essence = ({ status, body, headers }: Awaited<ReturnType<PageClient['get']>>) => ({
    status,
    body: withoutOwnPath(body),
    headers: [...headers].filter(([name]) => !/^(date|x-request-id|x-ratelimit-.*)$/.test(name)),
  });

  it('shows the secret when its form is posted, and counts that as a view', async () => {
    const { url_token } = await share({ expire_after_views: 2 });

    const { status, body } = await stranger.post(`/p/${url_token}`);

    expect(status).toBe(200);
    expect(body).toContain('correct horse');
    expect(body).toMatch(/1 view left<[^]*Expires <time/);
    expect(await viewsRemaining()).toBe(1);
    expect((await stranger.post(`/p/${url_token}`)).body).toContain('That was the last view');
    expect((await stranger.post(`/p/${url_token}`)).status).toBe(404);
  });

  it.each(['', '/r', '/', '/r/'])(
    'is loaded at /p/:token%s without counting, writing or telling anything (A9)',
    async (end) => {
      const { url_token } = await share({ expire_after_views: 1 });
      const before = await running.dataSource.manager.count(AuditEntry);

      const { status, body } = await stranger.get(`/p/${url_token}${end}`);

      expect(status).toBe(200);
      expect(body).not.toContain('correct horse');
      expect(await viewsRemaining()).toBe(1);
      expect(await running.dataSource.manager.count(AuditEntry)).toBe(before);
    },
  );

  it('is not used up by link previews (H6)', async () => {
    const { html_url, url_token } = await share({ expire_after_views: 1 });
    for (const agent of PREVIEWERS) {
      const client = running.anonymous.with({ 'User-Agent': agent, 'Sec-Purpose': 'prefetch' });
      expect((await client.get(new URL(html_url).pathname)).status).toBe(200);
      expect((await client.head(new URL(html_url).pathname)).status).toBe(200);
    }

    expect((await stranger.post(`/p/${url_token}`)).body).toContain('correct horse');
  });

  it('opens by itself only if it needs neither a click nor a passphrase', async () => {
    const opensItself = async (fields: object) =>
      (await stranger.get(`/p/${(await share(fields)).url_token}`)).body.includes('data-sent-by-itself');

    expect(await opensItself({})).toBe(true);
    expect(await opensItself({ retrieval_step: true })).toBe(false);
    expect(await opensItself({ passphrase: 'sesame' })).toBe(false);
  });

  it('asks inside of an app to open the link in a browser first, if files may be lost', async () => {
    const app = running.anonymous.with({ 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv)' });
    const files = [{ name: 'minutes.txt', content: 'x' }];
    const withFiles = await pushFiles((await running.newUser()).client, files);
    const pushes = [
      { push: withFiles, isAsked: true },
      { push: await share(), isAsked: false },
      { push: await share({ passphrase: 'sesame' }), isAsked: true }, // whether it has files nobody may know yet
    ];
    for (const { push, isAsked } of pushes) {
      const path = `/p/${push.url_token as string}`;
      const { body } = await app.send('GET', path);
      expect(body.includes('Open this link in your browser')).toBe(isAsked);
      expect(body.includes(`value="${push.html_url as string}"`)).toBe(isAsked);
      expect(body.includes('data-sent-by-itself')).toBe(!isAsked);
      expect((await stranger.get(path)).body).not.toContain('Open this link in your browser');
    }
    expect((await app.send('POST', `/p/${withFiles.url_token as string}`)).body).toContain('minutes.txt');
    const path = `/p/${pushes[2]?.push.url_token as string}`;
    const wrong = await app.send('POST', path, new URLSearchParams({ passphrase: 'wrong' }));
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatch(/<details class="gap-top" open>[^]*The passphrase is wrong/);
  });

  it('asks for nothing inside of an app where what a browser has encrypted is known to be a text', async () => {
    const app = running.anonymous.with({ 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv)' });
    const { urlToken } = await pushEndToEnd(running.anonymous, { text: 'correct horse' });
    const hidden = await pushEndToEnd(running.anonymous, { text: 'x' }, { hides_contents: 'true' });

    expect((await app.send('GET', `/p/${urlToken}`)).body).not.toContain('Open this link in your browser');
    expect((await app.send('GET', `/p/${hidden.urlToken}`)).body).toContain('Open this link in your browser');
  });

  it('says before the click what remains, without counting a view (A9)', async () => {
    const { url_token, expires_at } = await share({ expire_after_views: 2 });
    const shown = async () => (await stranger.get(`/p/${url_token}`)).body;

    for (const body of [await shown(), await shown()])
      expect(body).toMatch(
        new RegExp(`2 views left<[^]*Expires <time datetime="${expires_at}" data-format="named"`),
      );
    await stranger.post(`/p/${url_token}`);

    expect(await shown()).toContain('It opens once.');
  });

  it('says nothing of what remains to someone without the passphrase', async () => {
    const { url_token } = await share({ passphrase: 'sesame', expire_after_views: 2 });
    const shown = async () => (await stranger.get(`/p/${url_token}`)).body;
    const before = await shown();
    const refused = await stranger.post(`/p/${url_token}`, { passphrase: 'wrong' });
    expect((await stranger.post(`/p/${url_token}`, { passphrase: 'sesame' })).status).toBe(200);

    for (const body of [before, refused.body]) {
      expect(body).not.toContain('<time');
      expect(body).not.toMatch(/\bviews? left/);
    }
    expect(await shown()).toBe(before);
  });

  it('has no menu, also for someone who is signed in', async () => {
    const { pageClient } = await newSignedInUser(running);
    const { url_token } = await share({ expire_after_views: 2, deletable_by_viewer: true });
    const pages = [];
    for (const client of [stranger, pageClient]) {
      pages.push(await client.get(`/p/${url_token}`), await client.post(`/p/${url_token}`));
      pages.push(await client.get(`/p/${UNKNOWN}`));
    }

    for (const { body } of pages) {
      const [header = ''] = /<header.*?<\/header>/.exec(body) ?? [];
      expect(header).toContain('Sealpush');
      expect(header).not.toMatch(/<(a|button)\b/);
      expect(body).toContain('href="/how-it-works"');
    }
  });

  it('has a link to each file, one to all of them, and says how long they work', async () => {
    const { client } = await running.newUser();
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, content: Buffer.alloc(3_000_000) }));
    const several = await pushFiles(client, files);
    const single = await pushFiles(client, files.slice(1));

    const { body } = await stranger.post(`/p/${several.url_token}`);
    const { body: other } = await stranger.post(`/p/${single.url_token}`);

    const lifetime = Number(/data-links-expire-in="(\d+)"/.exec(body)?.[1]);
    expect(lifetime).toBeGreaterThan(500_000);
    expect(lifetime).toBeLessThanOrEqual(600_000);
    expect(body.match(/href="[^"]+\/files\/[\w-]+"/g)).toHaveLength(2);
    expect(body.match(/2\.9\u00a0MB/g)).toHaveLength(2);
    expect(body).toMatch(
      /<a [^>]*href="[^"]+\/files\/all\/[\w-]+"[^>]*>.*?Download all \(zip, <span[^>]*>5\.7\u00a0MB<\/span>\)/,
    );
    expect(other).not.toContain('/files/all/');
  });

  it('asks password managers not to keep the passphrase', async () => {
    const { url_token } = await share({ passphrase: 'sesame' });

    const [field] =
      /<input[^>]+name="passphrase"[^>]*>/.exec((await stranger.get(`/p/${url_token}`)).body) ?? [];

    for (const request of ['autocomplete="off"', 'data-1p-ignore', 'data-bwignore', 'data-lpignore="true"'])
      expect(field).toContain(request);
  });

  it('asks for the passphrase until it is right, and neither shows nor stores it (B11)', async () => {
    const { url_token } = await share({ passphrase: 'sesame' });

    const none = await stranger.post(`/p/${url_token}`);
    const wrong = await stranger.post(`/p/${url_token}`, { passphrase: 'mistyped horse' });
    const right = await stranger.post(`/p/${url_token}`, { passphrase: 'sesame' });

    expect([none.status, wrong.status, right.status]).toEqual([422, 422, 200]);
    expect(wrong.body).toContain('The passphrase is wrong.');
    expect(wrong.body).not.toContain('mistyped horse');
    expect(right.body).toContain('correct horse');
    expect(right.headers.getSetCookie()).toEqual([]);
    expect((await stranger.post(`/p/${url_token}`)).status).toBe(422);
  });

  it('accepts no passphrase in the URL (B10)', async () => {
    const { url_token } = await share({ passphrase: 'sesame' });

    const { status } = await stranger.post(`/p/${url_token}?passphrase=sesame`);

    expect(status).toBe(422);
  });

  it('limits the rate of passphrase guesses (B1)', async () => {
    const { url_token } = await share({ passphrase: 'sesame' });
    for (let i = 0; i < 5; i++) await stranger.post(`/p/${url_token}`, { passphrase: 'wrong' });

    const { status, headers } = await stranger.post(`/p/${url_token}`, { passphrase: 'sesame' });

    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('is the same page for pushes that were used up, expired, deleted or never existed (B9)', async () => {
    const viewed = await share({ expire_after_views: 1, retrieval_step: true });
    await stranger.post(`/p/${viewed.url_token}`);
    const deleted = await share({ deletable_by_viewer: true, passphrase: 'sesame' });
    await stranger.post(`/p/${deleted.url_token}/delete`);
    const expired = await expiredPush();
    const { manager } = running.dataSource;
    const entries = await manager.count(AuditEntry);
    const failures = await manager.countBy(AuditEntry, { kind: 'failed_view' });

    for (const end of ['', '/r', '/delete']) {
      const ask = (token: string) =>
        end === '/delete' ? stranger.post(`/p/${token}${end}`) : stranger.get(`/p/${token}${end}`);
      const never = essence(await ask(UNKNOWN));
      expect(never.status).toBe(404);
      for (const token of [viewed.url_token, deleted.url_token, expired]) {
        expect(essence(await ask(token))).toEqual(never);
        const fields = { passphrase: 'sesame' };
        expect(essence(await stranger.post(`/p/${token}`, fields))).toEqual(
          essence(await stranger.post(`/p/${UNKNOWN}`, fields)),
        );
      }
    }
    const visits = 3 * (2 + 3); // of each push: two pages, and three forms
    expect(await manager.count(AuditEntry)).toBe(entries + visits);
    expect(await manager.countBy(AuditEntry, { kind: 'failed_view' })).toBe(failures + visits);
  });

  it('can be deleted by its button only if viewers may delete it (C3)', async () => {
    const mayNot = await share();
    const may = await share({ deletable_by_viewer: true });

    expect((await stranger.post(`/p/${mayNot.url_token}/delete`)).status).toBe(403);
    expect((await stranger.post(`/p/${mayNot.url_token}`)).body).not.toContain('Delete this secret…');
    expect((await stranger.post(`/p/${may.url_token}`)).body).toContain('Delete this secret…');
    const { status, body } = await stranger.post(`/p/${may.url_token}/delete`);
    expect(status).toBe(200);
    expect(body).toContain('Secret deleted');
    expect((await stranger.post(`/p/${may.url_token}`)).status).toBe(404);
  });

  it('is the redirect target of the links of other kinds', async () => {
    for (const prefix of ['f', 'r']) {
      const { status, headers } = await stranger.get(`/${prefix}/${UNKNOWN}`);

      expect(status).toBe(303);
      expect(headers.get('location')).toBe(`/p/${UNKNOWN}`);
    }
  });

  it.each(['/f/..%2F..%2Fevil.example', '/r/%5Cevil.example', '/r//evil.example', '/f/short', '/p/short'])(
    'does not redirect from %s (D6)',
    async (path) => {
      const { status, headers } = await stranger.get(path);

      expect(status).toBe(404);
      expect(headers.get('location')).toBeNull();
    },
  );

  it('leads to a pushed URL only by a link, never by a redirect (E9)', async () => {
    const { url_token } = await share({ kind: 'url', payload: 'https://tulips.example/?a=1' });

    const asked = await stranger.get(`/p/${url_token}`);
    const shown = await stranger.post(`/p/${url_token}`);

    expect([asked.status, shown.status]).toEqual([200, 200]);
    for (const { headers } of [asked, shown]) {
      expect(headers.get('location')).toBeNull();
      expect(headers.get('refresh')).toBeNull();
    }
    expect(shown.body).toContain('href="https://tulips.example/?a=1"');
    expect(shown.body).not.toMatch(/http-equiv/i);
  });

  it.each([
    ['https://tulips.example/?a=1', 'tulips.example'],
    ['https://example.org%2f@evil.example/', 'evil.example'],
    ['https://example.org:x@evil.example:8443/#@example.org', 'evil.example:8443'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://[2001:db8::1]:80/', '[2001:db8::1]'],
  ])('shows where %s leads before the button (L21)', async (payload, host) => {
    const { url_token } = await share({ kind: 'url', payload });
    const { body } = await stranger.post(`/p/${url_token}`);

    expect(body).toContain(`This address opens <strong>${asData(host)}</strong>.</p>`);
    expect(body.indexOf('This address opens')).toBeLessThan(body.indexOf('Open web address'));
  });

  it('shows a non-ASCII host in both forms (L21)', async () => {
    const { url_token } = await share({ kind: 'url', payload: 'https://exаmple.org/' });
    const { body } = await stranger.post(`/p/${url_token}`);

    expect(body).toContain(
      `<strong>${asData('xn--exmple-4nf.org')}</strong>, displayed as ${asData('exаmple.org')}.</p>`,
    );
  });

  async function expiredPush(): Promise<string> {
    const visitor = { ip: '', userAgent: '', referrer: '', baseUrl: running.url };
    const terms = someNewPush({ lifetime: 1000, deletableByViewer: true, retrievalStep: true });
    const anHourAgo = new Date(Date.now() - 3_600_000);
    return (await running.app.get(CreationsService).create(terms, visitor, anHourAgo)).url_token;
  }
});
