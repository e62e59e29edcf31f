import { auditKinds } from '../support/audit-kinds.js';
import { download, encoded } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const REFUSED = {
  status: 403,
  body: { error: 'This secret can be opened only from networks that its sender has chosen.' },
};

describe('A push that opens only from some networks', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  const owner = forAllTests(() => running.newUser());
  const from = (ip: string) => running.anonymous.with({ 'X-Forwarded-For': ip });
  const make = (allowed_networks: unknown, fields = {}) =>
    owner.client.push({ payload: 'tulip', allowed_networks, ...fields });

  it('opens from their addresses and from no other, for its owner as well (B2)', async () => {
    const push = await make(['192.0.2.0/25', '2001:db8::/32', '203.0.113.9']);
    const inside = ['192.0.2.127', '::ffff:192.0.2.1', '2001:db8:ffff::1', '203.0.113.9'];
    const outside = ['192.0.2.128', '203.0.113.8', '2001:db9::1', '::1'];

    for (const ip of outside) {
      for (const client of [from(ip), from(ip).with(owner.client.headers)])
        expect(await client.retrieve(push.url_token)).toMatchObject(REFUSED);
      expect(await from(ip).get(`/p/${push.url_token}.json`)).toMatchObject(REFUSED);
    }
    for (const ip of inside) expect((await from(ip).retrieve(push.url_token)).body.payload).toBe('tulip');
    expect((await from('192.0.2.1').with(owner.client.headers).retrieve(push.url_token)).status).toBe(200);
  });

  it('checks and counts no passphrase outside, and records each attempt as a failed view (A10, A11)', async () => {
    const { url_token } = await make('192.0.2.0/24', { passphrase: 'horse', expire_after_views: 1 });
    for (const passphrase of [undefined, 'horse', ...Array<string>(8).fill('wrong')])
      expect(await from('198.51.100.1').retrieve(url_token, passphrase)).toMatchObject(REFUSED);

    expect((await from('192.0.2.1').retrieve(url_token, 'horse')).body.payload).toBe('tulip');
    const failed = Array(10).fill('failed_view');
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', ...failed, 'view']);
  });

  it('shows the networks to its owner alone, in one spelling and each once', async () => {
    const allowed_networks = ['192.0.2.7/24', '192.0.2.0/24', '2001:DB8:0::/32', '::ffff:203.0.113.9'];
    const shown = {
      limited_to_networks: true,
      allowed_networks: ['192.0.2.0/24', '2001:db8::/32', '203.0.113.9'],
    };
    const push = await make(allowed_networks);

    expect(push).toMatchObject(shown);
    expect((await owner.client.get('/api/v2/pushes/active')).body[0]).toMatchObject(shown);
    const { body } = await from('192.0.2.1').retrieve(push.url_token);
    expect(body).toMatchObject({ limited_to_networks: true });
    expect(body).not.toHaveProperty('allowed_networks');
  });

  it.each([21, 51, 300])('has at most 20, also of %i in a query or a form', async (count) => {
    const pairs = Array.from({ length: count }, (_, i) => `push[allowed_networks][]=10.0.${i % 256}.1`).join(
      '&',
    );
    const body = { allowed_networks: ['must be at most 20 addresses or networks'] };
    const form = new URLSearchParams(`push[payload]=tulip&${pairs}`);

    expect(await owner.client.post(`/api/v2/pushes?push[payload]=tulip&${pairs}`, {})).toMatchObject({
      status: 422,
      body,
    });
    expect(await owner.client.post('/api/v2/pushes', form)).toMatchObject({ status: 422, body });
  });

  it('can be checked, previewed and deleted from everywhere', async () => {
    const { url_token } = await make('192.0.2.0/24');
    const path = `/api/v2/pushes/${url_token}`;
    const owning = from('198.51.100.1').with(owner.client.headers);

    expect((await from('198.51.100.1').head(path)).status).toBe(200);
    expect((await from('198.51.100.1').get(`${path}/preview`)).status).toBe(200);
    expect((await owning.delete(path)).body).toMatchObject({ expired: true });
    expect((await from('198.51.100.1').retrieve(url_token)).body).toMatchObject({ payload: null });
  });

  it('has download links that work from there alone', async () => {
    const files = encoded([
      { name: 'a.txt', content: 'rose' },
      { name: 'b.txt', content: 'tulip' },
    ]);
    const { url_token } = await make('192.0.2.0/24', { files });
    const { body } = await from('192.0.2.1').retrieve(url_token);
    const url = body.files[0].url as string;

    expect((await download(url, { 'X-Forwarded-For': '192.0.2.9' })).status).toBe(200);
    const { status, bytes } = await download(url, { 'X-Forwarded-For': '198.51.100.1' });
    expect({ status, body: JSON.parse(bytes.toString()) }).toEqual(REFUSED);
    expect((await from('198.51.100.1').head(new URL(url).pathname)).status).toBe(403);
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view', 'file_download']);
  });

  it.each([
    ...['10.1', '1', 'localhost', '10.0.0.0/33', '10.0.0.0/8;', 'fe80::1%eth0', '[::1]', '*', 'all'],
    ...[
      1,
      true,
      {},
      { __proto__: null, a: 1 },
      [1],
      [['10.0.0.1']],
      [null],
      ['10.0.0.1', {}],
      ['10.0.0.1,::1'],
    ],
    ...['10.0.0.1\u202e', '10.0.0.1\u0000', '\u0661\u0660.0.0.1', '1'.repeat(100_000)],
  ])('cannot have %j as its networks', async (allowed_networks) => {
    expect(
      await owner.client.post('/api/v2/pushes', { push: { payload: 'tulip', allowed_networks } }),
    ).toMatchObject({
      status: 422,
      body: {
        allowed_networks: [
          'must be a list of IP addresses or networks such as 192.0.2.0/24, or a text with commas between them',
        ],
      },
    });
  });

  it('can have twenty networks, and no more', async () => {
    const networks = (count: number) =>
      Array.from({ length: count }, (_, i) => `2001:db8:${i.toString(16)}::/48`);

    expect((await make(networks(20))).allowed_networks).toHaveLength(20);
    for (const allowed_networks of [networks(21), networks(21).join(), networks(9000)])
      expect(
        await owner.client.post('/api/v2/pushes', { push: { payload: 'tulip', allowed_networks } }),
      ).toMatchObject({
        status: 422,
        body: { allowed_networks: [expect.stringMatching(/^must be/)] },
      });
  });

  it.each([[[]], [['', ' ']], [''], [' , '], [null]])(
    'opens from everywhere with %j',
    async (allowed_networks) => {
      const push = await make(allowed_networks);

      expect(push).not.toHaveProperty('limited_to_networks');
      expect((await from('198.51.100.1').retrieve(push.url_token)).body.payload).toBe('tulip');
    },
  );
});

describe('Where no proxy is trusted', () => {
  const running = forAllTests(startApp);

  it('what a client says about its address does not count (B2)', async () => {
    const { url_token } = await running.anonymous.push({
      payload: 'tulip',
      allowed_networks: ['192.0.2.0/24'],
    });
    const { url_token: here } = await running.anonymous.push({
      payload: 'tulip',
      allowed_networks: ['127.0.0.1'],
    });
    const pretending = running.anonymous.with({
      'X-Forwarded-For': '192.0.2.1',
      Forwarded: 'for=192.0.2.1',
      'X-Real-IP': '192.0.2.1',
    });

    expect(await pretending.retrieve(url_token)).toMatchObject(REFUSED);
    expect((await pretending.retrieve(here)).body.payload).toBe('tulip');
  });
});
