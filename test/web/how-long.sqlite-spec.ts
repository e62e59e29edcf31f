import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { digestOf } from '../../src/platform/random/random.js';
import { clientEncryptedPush } from '../support/age-files.js';
import type { ClientResponse } from '../support/client.js';
import { encoded } from '../support/files.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { after, newestPush } from '../support/new-pushes.js';
import { asData, newSignedInUser, PageClient } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };
const ELSEWHERE = { 'X-Forwarded-For': '198.51.100.1' };
const NETWORK = '192.0.2.0/24';

const running = forAllTests(() => startApp(PROXIED));

describe('The page of a link', () => {
  const stranger = forEachTest(() => new PageClient(running.url, ELSEWHERE));
  const inAnHour = () => after(new Date(), HOUR_MS).toISOString();

  const share = (fields: object) =>
    running.anonymous.push({ payload: 'tulip', passphrase: 'horse', expire_after_views: 1, ...fields });
  const push = (token: string) =>
    running.dataSource.manager.findOneByOrFail(Push, { tokenDigest: digestOf(token) });
  const failedViews = async (token: string) =>
    running.dataSource.manager.countBy(AuditEntry, { pushId: (await push(token)).id, kind: 'failed_view' });

  it('says when a secret opens, without a form, and nothing is used up (A9, A11)', async () => {
    const opens_at = inAnHour();
    const { url_token } = await share({ opens_at });
    const paths = [`/p/${url_token}`, `/p/${url_token}/r`];

    for (const path of paths)
      for (const page of [await stranger.get(path), await stranger.post(path, { passphrase: 'horse' })]) {
        expect(page.status).toBe(403);
        expect(page.body).toContain('<h1>This secret cannot be opened yet</h1>');
        expect(page.body).toContain(`opens <time datetime="${opens_at}"`);
        expect(page.body).not.toMatch(/tulip|name="passphrase"|id="open"/);
        expect(page.headers.get('cache-control')).toBe('no-store, no-transform');
      }
    expect(await push(url_token)).toMatchObject({ viewsCounted: 0, passphraseAttempts: 0 });
    expect(await failedViews(url_token)).toBe(4);
  });

  it('says that a secret opens from other networks only, and nothing is used up (A11, B2)', async () => {
    const { url_token } = await share({ allowed_networks: NETWORK });

    for (const page of [
      await stranger.get(`/p/${url_token}`),
      await stranger.post(`/p/${url_token}`, { passphrase: 'horse' }),
    ]) {
      expect(page.status).toBe(403);
      expect(page.body).toContain('<h1>This secret cannot be opened from here</h1>');
      expect(page.body).not.toMatch(/tulip|name="passphrase"|192\.0\.2/);
    }
    expect(await push(url_token)).toMatchObject({ viewsCounted: 0, passphraseAttempts: 0 });
    const insider = new PageClient(running.url, { 'X-Forwarded-For': '192.0.2.1' });
    expect((await insider.post(`/p/${url_token}`, { passphrase: 'horse' })).body).toContain('tulip');
  });

  it('does the same for what a browser has encrypted (A11)', async () => {
    const { payload, passphrase } = clientEncryptedPush();
    for (const limit of [{ opens_at: inAnHour() }, { allowed_networks: NETWORK }]) {
      const { url_token } = await share({ payload, passphrase, client_encrypted: true, ...limit });

      expect((await stranger.get(`/p/${url_token}`)).status).toBe(403);
      const { status, body } = await stranger.post(`/p/${url_token}`, { passphrase });
      expect(status).toBe(403);
      expect(body).not.toContain('AGE ENCRYPTED');
    }
  });

  it('says before the first view how soon after it the secret ends, unless it needs a passphrase', async () => {
    const limit = { passphrase: undefined, expire_after_first_view: 4, expire_after_views: 3 };
    const sentence = 'Once opened, it expires after 4 hours at the latest.';
    const { url_token } = await share(limit);
    const once = await share({ ...limit, expire_after_views: 1 });
    const closed = await share({ ...limit, passphrase: 'horse' });

    expect((await stranger.get(`/p/${url_token}`)).body).toContain(sentence);
    await stranger.post(`/p/${url_token}`);
    expect((await stranger.get(`/p/${url_token}`)).body).not.toContain(sentence);
    expect((await stranger.get(`/p/${once.url_token}`)).body).not.toContain(sentence);
    expect((await stranger.get(`/p/${closed.url_token}`)).body).not.toContain(sentence);
  });

  it('has links to files, and to all of them, that do not work in other networks', async () => {
    const owner = await running.newUser();
    const files = encoded([
      { name: 'a.txt', content: 'rose' },
      { name: 'b.txt', content: 'lily' },
    ]);
    const { url_token } = await owner.client.push({ files, allowed_networks: NETWORK });
    const insider = new PageClient(running.url, { 'X-Forwarded-For': '192.0.2.1' });
    const { body } = await insider.post(`/p/${url_token}`);
    const paths = [...body.matchAll(/href="[^"]*(\/files\/[^"]+)"/g)].map(([, path = '']) => path);

    expect(paths).toHaveLength(3);
    for (const path of paths) {
      expect((await insider.get(path)).status).toBe(200);
      expect((await stranger.get(path)).status).toBe(403);
    }
  });
});

describe('The form', () => {
  const running = forAllTests(startApp);
  const sender = forEachTest(() => new PageClient(running.url));

  const send = (fields: Record<string, string>) =>
    sender.post('/', {
      'push[payload]': 'tulip',
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`push[${name}]`, value])),
    });
  const tomorrow = after(new Date(), DAY_MS).toISOString().slice(0, 16);

  it('offers the three limits, and shows them with the link', async () => {
    const { status, body } = await send({
      expire_after_first_view: '4',
      opens_at_local: tomorrow,
      opens_at_zone: 'Z',
      allowed_networks: '192.0.2.7/24, 2001:db8::1',
    });

    expect(status).toBe(201);
    expect(await newestPush(running)).toMatchObject({
      expireAfterFirstView: 4,
      opensAt: new Date(`${tomorrow}Z`),
      allowedNetworks: ['192.0.2.0/24', '2001:db8::1'],
    });
    expect(body).toContain('Expires 4 hours after it is first opened');
    expect(body).toContain(`Cannot be opened before <time datetime="${tomorrow}:00.000Z"`);
    expect(body).toContain(`Opens only from ${asData('192.0.2.0/24, 2001:db8::1')}`);
  });

  it('reads the time in the zone that the browser has said', async () => {
    await send({ opens_at_local: tomorrow, opens_at_zone: '-03:30' });

    expect((await newestPush(running)).opensAt).toEqual(new Date(`${tomorrow}-03:30`));
  });

  it.each([
    ['Z', 'tomorrow'],
    ['+99:99', tomorrow],
    ['', tomorrow],
    ['Z"><script>', tomorrow],
  ])('rejects a time with the zone %j and the value %j', async (zone, local) => {
    const { status, body } = await send({ opens_at_local: local, opens_at_zone: zone });

    expect(status).toBe(422);
    expect(body).toContain('Enter a date and a time.');
    expect(body).not.toContain('><script>');
  });

  it('comes back with what was typed and what is wrong with it, in open options', async () => {
    const { status, body } = await send({
      expire_after_first_view: '0',
      opens_at_local: '2020-01-01T10:00',
      opens_at_zone: 'Z',
      allowed_networks: 'office',
    });

    expect(status).toBe(422);
    expect(body).toMatch(/name="push\[expire_after_first_view\]"[^>]* value="0"/);
    expect(body).toMatch(/name="push\[opens_at_local\]"[^>]* value="2020-01-01T10:00"/);
    expect(body).toMatch(/name="push\[allowed_networks\]"[^>]* value="office"/);
    expect(body).toContain('Enter a whole number from 1 to 2,160.');
    expect(body).toContain('Enter a time in the future.');
    expect(body).toContain('Enter IP addresses or networks such as 192.0.2.0/24');
    expect(body).toMatch(/id="with-more"[^>]* checked/);
  });
});

describe('The activity of a push', () => {
  const member = forEachTest(() => newSignedInUser(running));

  async function share(fields: Record<string, string> = {}): Promise<string> {
    const { body } = await member.pageClient.post('/', { 'push[payload]': 'tulip', ...fields });
    return /\/p\/([\w-]{43})/.exec(body)?.[1] ?? '';
  }
  const shorten = (token: string, fields: Record<string, string>, client = member.pageClient) =>
    client.post(`/p/${token}/shorten`, fields);
  const activity = async (token: string) => (await member.pageClient.get(`/p/${token}/audit`)).body;
  const end = async (token: string) =>
    (await running.anonymous.retrieve(token)).body as { expires_at: string; expire_after_views: number };
  const inTwoDays = after(new Date(), 2 * DAY_MS)
    .toISOString()
    .slice(0, 16);

  it('shows the limits that few pushes have, and visits that were refused', async () => {
    const token = await share({ 'push[expire_after_first_view]': '1', 'push[allowed_networks]': NETWORK });
    expect(await activity(token)).not.toContain('Link used');
    await running.anonymous.with(ELSEWHERE).get(`/p/${token}`);
    const page = await activity(token);

    expect(page).toContain('Expires an hour after it is first opened');
    expect(page).toContain(`Opens only from ${asData(NETWORK)}`);
    expect(page).toContain('Link used, but not opened: too early, or not from its networks');
    await member.pageClient.post(`/p/${token}/delete`);
    await running.anonymous.with(ELSEWHERE).get(`/p/${token}`);
    expect(await activity(token)).toContain('Link used after it expired');
  });

  it('lets its owner shorten it, and says that in the log', async () => {
    const token = await share();
    const { status, headers } = await shorten(token, {
      expire_after_views: '3',
      expires_at_local: inTwoDays,
      expires_at_zone: '+01:00',
    });

    expect([status, headers.get('location')]).toEqual([303, `/p/${token}/audit`]);
    expect(await activity(token)).toContain('Changed by you');
    expect(await end(token)).toMatchObject({
      expires_at: new Date(`${inTwoDays}+01:00`).toISOString(),
      expire_after_views: 3,
    });
  });

  it('shows the form again when it would give more, and changes nothing (A4)', async () => {
    const token = await share();
    const before = await end(token);
    const { status, body } = await shorten(token, {
      expire_after_views: '6',
      expires_at_local: '2100-01-01T10:00',
      expires_at_zone: 'Z',
    });

    expect(status).toBe(422);
    expect(body).toContain('Enter a whole number from 2 to 5: views can only become fewer.');
    expect(body).toContain('that is not later than the secret expires now');
    expect(body).toMatch(/name="expires_at_local"[^>]* value="2100-01-01T10:00"/);
    expect(body).toMatch(/<details open[^>]*><summary[^>]*>(<svg.*?<\/svg>)?Shorten…/);
    expect(await end(token)).toMatchObject({ expires_at: before.expires_at, expire_after_views: 5 });
  });

  it('changes nothing else, and nothing when the form is sent as it is', async () => {
    const token = await share();
    const form = { expire_after_views: '5', expires_at_local: '', expires_at_zone: 'Z' };

    expect((await shorten(token, { ...form, passphrase: 'horse', expire_after_days: '1' })).status).toBe(303);
    expect(await activity(token)).not.toContain('Changed by you');
  });

  it('is changed by nobody else (C1)', async () => {
    const token = await share();
    const other = await newSignedInUser(running);
    const fields = { expire_after_views: '1' };

    expect((await shorten(token, fields, other.pageClient)).status).toBe(404);
    expect((await shorten(token, fields, new PageClient(running.url))).status).not.toBe(200);
    expect(await end(token)).toMatchObject({ expire_after_views: 5 });
  });

  it('has no form once it has ended', async () => {
    const token = await share();
    await member.pageClient.post(`/p/${token}/delete`);

    expect(await activity(token)).not.toContain('Shorten…');
    expect(((await shorten(token, { expire_after_views: '1' })) as ClientResponse).status).toBe(404);
  });
});
