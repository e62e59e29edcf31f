import request from 'supertest';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { auditKinds } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { someNewPush, someVisitor } from '../support/new-pushes.js';

const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const HOSTILE = `"><script>alert('x')</script> %00 \${7*7} {{7*7}} '; DROP TABLE audit_entries; -- %0d%0aSet-Cookie:a=b`;

describe('The audit log of a push', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  const owner = forAllTests(() => running.newUser());

  const audit = (token: string, client = owner.client, query = '') =>
    client.get(`/api/v2/pushes/${token}/audit${query}`);

  it('lists what happened to it, in order', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', passphrase: 'horse' });
    await running.anonymous.retrieve(url_token, 'wrong');
    await running.anonymous.retrieve(url_token, 'horse');
    await owner.client.delete(`/api/v2/pushes/${url_token}`);
    await running.anonymous.retrieve(url_token, 'horse');
    await owner.client.delete(`/api/v2/pushes/${url_token}`);
    await audit(url_token);

    expect(await auditKinds(owner.client, url_token)).toEqual([
      'creation',
      'failed_passphrase',
      'view',
      'expire',
      'failed_view',
    ]);
  });

  it('records the client and the time of each event, and nothing else', async () => {
    const { url_token, created_at } = await owner.client
      .with({ 'User-Agent': 'curl/8' })
      .push({ payload: 'tulip' });
    const reader = running.anonymous.with({
      'User-Agent': 'Firefox',
      Referer: 'https://example.org/mail?id=1',
      'X-Forwarded-For': '2001:db8::1',
    });
    const { body } = await reader.retrieve(url_token);

    expect((await audit(url_token)).body).toEqual({
      logs: [
        {
          ip: '127.0.0.1',
          user_agent: 'curl/8',
          referrer: '',
          kind: 'creation',
          created_at,
          updated_at: created_at,
        },
        {
          ip: '2001:db8::1',
          user_agent: 'Firefox',
          referrer: 'https://example.org/mail?id=1',
          kind: 'view',
          created_at: body.updated_at,
          updated_at: body.updated_at,
        },
      ],
    });
  });

  it('checks token, push, owner and page, in this order', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const other = await running.newUser();
    const statuses = async (token: string, client: typeof owner.client) =>
      (await audit(token, client, '?page=0')).status;

    expect(await statuses(UNKNOWN, running.anonymous)).toBe(401);
    expect(await statuses(url_token, running.anonymous)).toBe(401);
    expect(await statuses(UNKNOWN, other.client)).toBe(404);
    expect(await statuses(url_token, other.client)).toBe(403);
    expect(await statuses(url_token, owner.client)).toBe(400);
    expect((await audit(url_token, other.client)).body).toEqual({ error: expect.any(String) });
  });

  it('of a push without an owner cannot be read by anyone (C1)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });

    expect((await audit(url_token, running.anonymous)).status).toBe(401);
    expect((await audit(url_token)).status).toBe(403);
  });

  it('stores the User-Agent and Referer of clients unchanged, up to 255 characters (E5)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    await running.anonymous.with({ 'User-Agent': HOSTILE, Referer: HOSTILE }).retrieve(url_token);
    await running.anonymous
      .with({ 'User-Agent': 'u'.repeat(5000), Referer: 'r'.repeat(5000) })
      .retrieve(url_token);
    await running.anonymous
      .with({ 'User-Agent': '\u00e9\u0081\u00ff', Referer: '\u00e9' })
      .retrieve(url_token);

    expect((await audit(url_token)).body.logs.slice(1)).toMatchObject([
      { user_agent: HOSTILE, referrer: HOSTILE },
      { user_agent: 'u'.repeat(255), referrer: 'r'.repeat(255) },
      { user_agent: '\u00e9\u0081\u00ff', referrer: '\u00e9' },
    ]);
  });

  it('contains no page of ours as the referrer, whose address can have the token of another push (H1)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const { url_token: other } = await owner.client.push({ payload: 'daffodil' });
    const host = 'push.internal:5100';
    await running.anonymous.with({ Referer: `${running.url}/p/${other}` }).retrieve(url_token);
    await request(running.url)
      .get(`/api/v2/pushes/${url_token}`)
      .set({ Host: host, Referer: `http://${host}/p/${other}` });

    expect((await audit(url_token)).body.logs.slice(1)).toMatchObject([{ referrer: '' }, { referrer: '' }]);
  });

  it('truncates them between characters, never within one', async () => {
    const visitor = someVisitor({
      userId: owner.id,
      userAgent: '\u{1F339}'.repeat(300),
      referrer: 'a\u{1F339}'.repeat(200),
    });
    const { url_token } = await running.app.get(CreationsService).create(someNewPush(), visitor);

    expect((await audit(url_token)).body.logs).toMatchObject([
      { user_agent: '\u{1F339}'.repeat(255), referrer: `${'a\u{1F339}'.repeat(127)}a` },
    ]);
  });

  it('never contains the token of the push (H1)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 50 });
    const encoded = url_token.replace(/./g, (sign: string) => `%${sign.charCodeAt(0).toString(16)}`);
    const cut = [
      `https://example.org/p/${url_token}/r`,
      `https://example.org/p/${encoded}`,
      `https://example.org/p/${encoded}?broken=%zz%`,
      `https://example.org/${'x'.repeat(300)}/${url_token}`,
      `https://example.org/login?next=/p/${url_token}`,
    ];
    const removed = [url_token, `/p/${url_token}`, `android-app://example/${url_token}`];
    for (const Referer of [...cut, ...removed]) await running.anonymous.with({ Referer }).retrieve(url_token);

    const { body } = await audit(url_token);
    expect(body.logs.slice(1).map(({ referrer }: { referrer: string }) => referrer)).toEqual([
      ...cut.map(() => 'https://example.org'),
      ...removed.map(() => ''),
    ]);
  });
});
