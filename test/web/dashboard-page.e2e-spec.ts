import { AuditEntry, MAX_AUDITED } from '../../src/audit/audit-entry.entity.js';
import { digestOf } from '../../src/platform/random/random.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { Client } from '../support/client.js';
import { download, linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { asData, newSignedInUser, PageClient, tokenIn, withoutOwnPath } from '../support/page-client.js';

const HOSTILE = `<img src=x onerror="alert(1)">'"&`;
const ESCAPED = '&lt;img src=x onerror=';
/** The oldest first: the page has the newest first. */
const eventsIn = (body: string) =>
  [...body.matchAll(/class="event"><strong>([^<]+)</g)].map(([, event]) => event).reverse();
const fileNamesIn = (body: string) =>
  [...body.matchAll(/<\/strong> <bdi[^>]*>([^<]+)</g)].map(([, name]) => name).reverse();

describe('The pages of owners', () => {
  const running = forAllTests(startApp);
  let owner: PageClient;

  const share = async (fields: Record<string, string> = {}) => {
    const entries = Object.entries({ payload: 'correct horse', ...fields });
    const { body } = await owner.post(
      '/',
      Object.fromEntries(entries.map(([key, text]) => [`push[${key}]`, text])),
    );
    return tokenIn(body);
  };

  const memberWithToken = async () => {
    const { pageClient } = await newSignedInUser(running);
    const { body } = await pageClient.post('/users/token', { name: 'deploy script' });
    return { pageClient, token: /value="([\w-]{43})"/.exec(body)?.[1] ?? '' };
  };

  beforeEach(async () => (owner = (await newSignedInUser(running)).pageClient));

  it('list active and expired pushes, by name', async () => {
    await share({ name: 'earliest' });
    const ended = await share({ name: 'second', expire_after_views: '1' });
    await running.anonymous.retrieve(ended);

    const active = (await owner.get('/pushes')).body;
    const expired = (await owner.get('/pushes/expired')).body;

    expect(active).toContain('earliest');
    expect(active).not.toContain('>second<');
    expect(active).toMatch(/>Not yet<.*<time [^>]+ data-format="end" title="[^"]+ UTC">\d+ \w+<\/time>/);
    expect(expired).toContain('second');
    expect(expired).not.toContain('>earliest<');
    expect(expired).toMatch(/last view <time/);
    expect(active + expired).not.toContain('correct horse');
  });

  it('name the day on which a push expires: tomorrow, or its date', async () => {
    await share({ name: 'tulip', expire_after_days: '1' });
    await share({ name: 'rose', expire_after_days: '3' });
    const day = new Date(Date.now() + 3 * DAY_MS).getUTCDate();

    expect((await owner.get('/pushes')).body).toMatch(
      new RegExp(`>rose<.*data-format="end"[^>]+>${day} \\w+<.*>tulip<.*data-format="end"[^>]+>tomorrow<`),
    );
  });

  it('sort active pushes by creation and by end, page by page, and searches not at all', async () => {
    for (const days of ['3', '1', '2']) await share({ name: `in ${days}`, expire_after_days: days });
    const names = async (query: string) =>
      [...(await owner.get(`/pushes${query}`)).body.matchAll(/>(in \d)<\/bdi><\/a>/g)].map(
        ([, name]) => name,
      );
    const orders = {
      newest: ['in 2', 'in 1', 'in 3'],
      oldest: ['in 3', 'in 1', 'in 2'],
      first_to_end: ['in 1', 'in 2', 'in 3'],
      last_to_end: ['in 3', 'in 2', 'in 1'],
    };
    for (const [order, expected] of Object.entries(orders))
      expect([order, await names(`?order=${order}`)]).toEqual([order, expected]);

    expect(await names('?order=oldest&state=unopened')).toEqual(orders.newest);
    expect((await owner.get('/pushes?order=name')).status).toBe(400);
    const { body } = await owner.get('/pushes?order=first_to_end');
    expect(body).toMatch(/aria-sort="ascending"><a href="\/pushes\?order=last_to_end">Expires</);
    expect(body).toMatch(/<a href="\/pushes\?order=oldest">Created</);
    expect((await owner.get('/pushes')).body).toMatch(/aria-sort="descending"><a href="[^"]+">Created</);
    for (let i = 0; i < 48; i++) await share({ name: `more ${i}`, expire_after_days: '9' });
    expect((await owner.get('/pushes?order=last_to_end')).body).toContain('?order=last_to_end&amp;page=2"');
    expect(await names('?order=last_to_end&page=2')).toEqual(['in 1']);
  });

  it('export the log of a push, with the addresses of people, and only to its owner (C7)', async () => {
    const token = await share({ name: 'tulip', note: '=1+1' });
    await running.anonymous.with({ 'User-Agent': '=cmd' }).retrieve(token);
    const path = `/p/${token}/audit`;
    const { pageClient: stranger } = await newSignedInUser(running);
    const csv = await owner.get(`${path}/download?format=csv`);
    const lines = (await owner.get(`${path}/download?format=ndjson`)).body.trim().split('\n');

    expect((await owner.get(path)).body).toContain(`${path}/download?format=csv`);
    expect(csv.headers.get('content-disposition')).toMatch(/filename="activity-[\d-]+\.csv"/);
    expect(csv.body).toMatch(
      /^"created_at","kind","by_owner","email","file","ip","user_agent","referrer"\r\n"[^"]+","creation","true",.*\r\n"[^"]+","view","false","","","[^"]+","'=cmd",""\r\n$/,
    );
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(['creation', 'view']);
    for (const client of [stranger, new PageClient(running.url)])
      expect((await client.get(`${path}/download?format=csv`)).status).not.toBe(200);
    expect((await owner.get(`${path}/download?format=x`)).status).toBe(404);
  });

  it('show the events of a push, with address, browser and the host it came from', async () => {
    const token = await share({ name: 'for Ann', note: 'asked for by phone' });
    expect((await owner.get(`/p/${token}/audit`)).body).toContain('Not opened');
    await running.anonymous
      .with({ 'User-Agent': 'curl/8.5.0', Referer: 'https://mail.example/evil' })
      .retrieve(token);

    const { body } = await owner.get(`/p/${token}/audit`);

    for (const text of ['for Ann', 'asked for by phone', 'Created', 'Opened', '127.0.0.1', 'curl 8.5']) {
      expect(body).toContain(text);
    }
    expect(body).toContain(asData('mail.example'));
    expect(body).not.toContain('evil');
  });

  it('name browsers and programs by words of ours, and show nothing that they sent (E5, N2)', async () => {
    const token = await share();
    const agents = [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
      'curl/8.5.0',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      'evil.example/1.0 (call evil)',
      `<b>/1.0 ${'x'.repeat(300)}`,
    ];
    for (const agent of agents) await running.anonymous.with({ 'User-Agent': agent }).retrieve(token);

    const { body } = await owner.get(`/p/${token}/audit`);

    expect(body).toContain('Firefox 132 on Windows');
    expect(body).toContain('curl 8.5\u00a0· ');
    expect(body).toContain('SlackBot 1.0 (robot, such as a link preview)');
    expect(body).toContain('Unknown program');
    expect(body).not.toMatch(/Win64|LinkExpanding|evil|xxx/);
  });

  it('distinguish views by the owner from others, on the page and through the API', async () => {
    const { token: apiToken, pageClient } = await memberWithToken();
    const { body: made } = await pageClient.post('/', {
      'push[payload]': 'tulip',
      'push[passphrase]': 'horse',
    });
    const token = tokenIn(made);
    await pageClient.post(`/p/${token}`, { passphrase: 'wrong' });
    await pageClient.post(`/p/${token}`, { passphrase: 'horse' });
    await new Client(running.url, { Authorization: `Bearer ${apiToken}` }).retrieve(token, 'horse');
    await running.anonymous.retrieve(token, 'wrong');
    await running.anonymous.retrieve(token, 'horse');
    await pageClient.post(`/p/${token}/delete`);

    expect(eventsIn((await pageClient.get(`/p/${token}/audit`)).body)).toEqual([
      'Created',
      'You entered a wrong passphrase',
      'Opened by you',
      'Opened by you',
      'Wrong passphrase',
      'Opened',
      'Deleted by you',
    ]);
  });

  it('distinguish downloads with a link that the owner was given from others', async () => {
    const { token: apiToken, pageClient } = await memberWithToken();
    const api = new Client(running.url, { Authorization: `Bearer ${apiToken}` });
    const { url_token: token } = await pushFiles(api, [
      { name: 'a.txt', content: 'tulip' },
      { name: 'b.txt', content: 'rose' },
    ]);
    const linksIn = (body: string) =>
      [...body.matchAll(/href="([^"]+\/files\/[^"]+)"/g)].map(([, url = '']) => url);
    const owners = linksIn((await pageClient.post(`/p/${token}`)).body);
    const [strangers = ''] = linksIn((await new PageClient(running.url).post(`/p/${token}`)).body);

    expect(owners).toHaveLength(3); // the last one to both files
    for (const url of [...owners, strangers, ...(await linksOf(api, token)).slice(0, 1)]) await download(url);

    expect(eventsIn((await pageClient.get(`/p/${token}/audit`)).body)).toEqual([
      'Created',
      'Opened by you',
      'Opened',
      'Opened by you',
      'File 1 of 2 downloaded with your download link',
      'File 2 of 2 downloaded with your download link',
      'All files downloaded as a zip with your download link',
      'File 1 of 2 downloaded',
      'File 1 of 2 downloaded with your download link',
    ]);
  });

  it('say which file was downloaded, by its name while the secret can be read without a passphrase', async () => {
    const { token: apiToken, pageClient } = await memberWithToken();
    const api = new Client(running.url, { Authorization: `Bearer ${apiToken}` });
    const files = [
      { name: '<i>offer.pdf', content: 'tulip' },
      { name: 'plan.pdf', content: 'rose' },
    ];
    const { url_token: open } = await pushFiles(api, files);
    const { url_token: locked } = await pushFiles(api, files, { passphrase: 'horse' });
    const { body } = await running.anonymous.retrieve(locked, 'horse');
    for (const url of [...(await linksOf(running.anonymous, open)), body.files[1].url]) await download(url);
    const page = async (token: string) => (await pageClient.get(`/p/${token}/audit`)).body;

    expect(fileNamesIn(await page(open))).toEqual(['&lt;i>offer.pdf', 'plan.pdf']);
    expect(fileNamesIn(await page(locked))).toEqual([]);
    expect(eventsIn(await page(locked))).toContain('File 2 of 2 downloaded');
    await api.delete(`/api/v2/pushes/${open}`);
    const ended = await page(open);
    expect(fileNamesIn(ended)).toEqual([]);
    expect(eventsIn(ended)).toEqual(
      expect.arrayContaining(['File 1 of 2 downloaded', 'File 2 of 2 downloaded']),
    );
  });

  it('say of the only file, and of a download from before files were recorded, only that there was one', async () => {
    const { token: apiToken, pageClient } = await memberWithToken();
    const api = new Client(running.url, { Authorization: `Bearer ${apiToken}` });
    const page = async (token: string) => (await pageClient.get(`/p/${token}/audit`)).body;
    const { url_token: one } = await pushFiles(api, [{ name: 'a', content: 'tulip' }]);
    const { url_token: two } = await pushFiles(api, [
      { name: 'a', content: 'tulip' },
      { name: 'b', content: 'rose' },
    ]);
    for (const token of [one, two])
      for (const url of await linksOf(running.anonymous, token)) await download(url);
    await running.dataSource.manager.update(AuditEntry, { fileNumber: 2 }, { fileNumber: null });

    expect(eventsIn(await page(one)).slice(2)).toEqual(['File downloaded']);
    expect(eventsIn(await page(two)).slice(2)).toEqual(['File 1 of 2 downloaded', 'File downloaded']);
  });

  it('show visits of browsers to a link that has ended, up to a limit (I3)', async () => {
    const token = await share({ expire_after_views: '1' });
    await running.anonymous.retrieve(token);
    await new PageClient(running.url, { 'User-Agent': 'Slackbot-LinkExpanding 1.0' }).get(`/p/${token}`);
    await new PageClient(running.url).post(`/p/${token}`);
    await owner.get(`/p/${token}/r`);
    await running.anonymous.get(`/p/${token}/preview`);
    await new PageClient(running.url).get(`/p/${token}/delete`);

    expect(eventsIn((await owner.get(`/p/${token}/audit`)).body)).toEqual([
      'Created',
      'Opened',
      'Link used after it expired',
      'Link used after it expired',
      'You used the link after it expired',
    ]);

    await running.dataSource.manager.update(
      Push,
      { tokenDigest: digestOf(token) },
      { failuresAudited: MAX_AUDITED },
    );
    expect((await running.anonymous.get(`/p/${token}`)).status).toBe(404);
    expect(eventsIn((await owner.get(`/p/${token}/audit`)).body)).toHaveLength(5);
  });

  it('show the end by time between what happened before and after it, on one page only', async () => {
    const token = await share({ expire_after_views: '10' });
    await running.anonymous.retrieve(token);
    const { manager } = running.dataSource;
    const isOurs = { tokenDigest: digestOf(token) };
    const { id } = await manager.findOneByOrFail(Push, isOurs);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
    await manager.update(AuditEntry, { pushId: id }, { createdAt: ago(2) });
    await manager.update(Push, isOurs, { expiresAt: ago(1) });
    const events = async (page = 1) => eventsIn((await owner.get(`/p/${token}/audit?page=${page}`)).body);
    await running.anonymous.retrieve(token);
    expect(await events()).toEqual(['Created', 'Opened', 'Expired', 'Link used after it expired']);
    for (let i = 0; i < 49; i++) await running.anonymous.retrieve(token);

    expect(await events()).toEqual(Array(50).fill('Link used after it expired'));
    expect(await events(2)).toEqual(['Created', 'Opened', 'Expired']);
    const entries = await manager.find(AuditEntry, { where: { pushId: id }, order: { id: 'ASC' } });
    const { expiresAt } = await manager.findOneByOrFail(Push, isOurs);
    await manager.update(
      AuditEntry,
      entries.slice(0, -1).map(({ id }) => id),
      { createdAt: expiresAt },
    );
    expect((await events()).slice(-2)).toEqual(['Expired', 'Link used after it expired']);
    expect(await events(2)).toEqual(['Created', 'Opened']);
    const past = (await owner.get(`/p/${token}/audit?page=3`)).body;
    expect(past).toContain(`<a href="/p/${token}/audit?page=2">Go to the last page</a>`);
  });

  it('are private: the audit page of another user’s push is a 404 (C7)', async () => {
    const token = await share();
    const { pageClient: stranger } = await newSignedInUser(running);

    const { status, body } = await stranger.get(`/p/${token}/audit`);

    expect(status).toBe(404);
    const never = await stranger.get('/p/aaaaaaaaaaaaaaaaaaaaaaaa/audit');
    expect(withoutOwnPath(body)).toBe(withoutOwnPath(never.body));
    expect((await running.anonymous.get(`/p/${token}/audit`)).headers.get('location')).toBe(
      `/users/sign_in?next=%2Fp%2F${token}%2Faudit`,
    );
    expect((await stranger.get('/pushes')).body).not.toContain(token);
  });

  it('delete a push immediately, even one that has ended', async () => {
    const token = await share();

    const { status, headers } = await owner.post(`/p/${token}/delete`);

    expect(status).toBe(303);
    const { body } = await owner.get(headers.get('location') ?? '');
    expect(body).toContain('1 secret deleted.');
    expect(body).toMatch(/deleted <time/);
    const listed = (await owner.get('/pushes/expired')).body;
    expect(listed).toContain(`/p/${token}/audit`);
    expect(listed).not.toMatch(/type="checkbox"|action="\/pushes\/delete"/); // there is nothing to delete any more
    expect((await running.anonymous.retrieve(token)).body).toMatchObject({ expired: true, deleted: true });
    expect((await owner.post(`/p/${token}/delete`)).status).toBe(303);
  });

  it('show names and notes as plain text, and no user agents and referrers that are no URLs (E5)', async () => {
    const token = await share({ name: HOSTILE, note: HOSTILE });
    await running.anonymous.with({ 'User-Agent': HOSTILE, Referer: HOSTILE }).retrieve(token);

    const audit = (await owner.get(`/p/${token}/audit`)).body;
    const list = (await owner.get('/pushes')).body;

    expect(audit.split(ESCAPED)).toHaveLength(3);
    expect(list).toContain(ESCAPED);
    expect(audit + list).not.toContain('<img src=x');
  });

  it('show file names, payloads and token names as plain text (E4)', async () => {
    const form = new FormData();
    form.set('push[kind]', 'file');
    form.set('push[payload]', HOSTILE);
    form.append(
      'push[files][]',
      new Blob(['<svg onload="alert(1)"/>'], { type: 'image/svg+xml' }),
      `${HOSTILE}.svg`,
    );
    const token = tokenIn((await owner.post('/', form)).body);

    const shown = (await owner.post(`/p/${token}`)).body;
    const tokens = (await owner.post('/users/token', { name: HOSTILE })).body;

    expect(shown.split(ESCAPED)).toHaveLength(5); // the name of the file three times
    expect(tokens).toContain(ESCAPED);
    expect(shown + tokens).not.toContain('<img src=x');
  });

  it('link to the URL of a push with a button, escaped and without a referrer (E2)', async () => {
    const token = await share({ kind: 'url', payload: 'https://example.org/"onclick="alert(1)' });

    const { body } = await owner.post(`/p/${token}`);

    expect(body).toContain('href="https://example.org/&quot;onclick=&quot;alert(1)"');
    expect(body).toContain('rel="noreferrer noopener"');
  });
});

describe('Owners whose own views do not count', () => {
  const running = forAllTests(() => startApp({ OWNER_VIEWS_COUNT: 'false' }));

  it('open their own push without using up a view, and other visitors use one up', async () => {
    const { pageClient: owner } = await newSignedInUser(running);
    const { body } = await owner.post('/', {
      'push[payload]': 'correct horse',
      'push[expire_after_views]': '1',
    });
    const token = tokenIn(body);

    expect((await owner.post(`/p/${token}`)).body).toContain('1 view left');
    expect((await owner.get(`/p/${token}/audit`)).body).toContain('Opened by you');
    expect((await new PageClient(running.url).post(`/p/${token}`)).body).toContain('That was the last view');
  });
});
