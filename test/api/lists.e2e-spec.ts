import { Keyring } from '../../src/platform/sealing/keyring.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { PushSeal } from '../../src/pushes/push/push-seal.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { recordStatements } from '../support/recorded-statements.js';
import type { ClientResponse, Client } from '../support/client.js';
import { startApp } from '../support/start-app.js';
import { someNewPush, someVisitor } from '../support/new-pushes.js';

const tokensIn = ({ body }: ClientResponse): string[] =>
  body.map((push: { url_token: string }) => push.url_token);

describe('The lists', () => {
  const running = forAllTests(startApp);
  const owner = forEachTest(() => running.newUser());

  const active = (client: Client, query = '') => client.get(`/api/v2/pushes/active${query}`);
  const expired = (client: Client, query = '') => client.get(`/api/v2/pushes/expired${query}`);

  it('return pushes as in the response to creating them, with name and note', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u0000\u{1F339}';
    const created = await owner.client.push({
      payload: 'tulip',
      passphrase: 'horse',
      name: hostile,
      note: hostile,
    });
    const bare = await owner.client.push({ payload: 'tulip', kind: 'qr', retrieval_step: true });

    expect((await active(owner.client)).body).toEqual([bare, created]);
    expect(created).toMatchObject({ name: hostile, note: hostile });
    expect(bare).toMatchObject({ name: '', note: '' });
    expect(Object.keys(created)).not.toContain('payload');
  });

  it('contain only the caller’s own pushes (C4, C7)', async () => {
    const other = await running.newUser();
    const own = await owner.client.push({ payload: 'tulip' });
    const ended = await owner.client.push({ payload: 'tulip', expire_after_views: 1 });
    await other.client.retrieve(ended.url_token);
    await running.anonymous.push({ payload: 'tulip' });

    expect(tokensIn(await active(owner.client))).toEqual([own.url_token]);
    expect(tokensIn(await expired(owner.client))).toEqual([ended.url_token]);
    for (const query of ['', `?user_id=${owner.id}`, `?userId=${owner.id}`, `?owner=${owner.email}`]) {
      expect((await active(other.client, query)).body).toEqual([]);
      expect((await expired(other.client, query)).body).toEqual([]);
    }
  });

  it('unseal each push once, by its owner key, and read nothing of its secret', async () => {
    for (const name of ['tulip', 'rose', 'lily'])
      await owner.client.push({ payload: 'secret', name, note: name });
    const unsealPush = jest.spyOn(running.app.get(PushSeal), 'unsealOwnerFields');
    const unwrap = jest.spyOn(running.app.get(Keyring), 'unseal');
    const stopRecording = await recordStatements(running.app);
    await active(owner.client);
    const statements = stopRecording();

    expect(unsealPush).toHaveBeenCalledTimes(3);
    expect(unwrap.mock.calls.map(([, , context]) => context.split('/')[2])).toEqual(
      Array(3).fill('ownerKey'),
    );
    expect(statements.filter(({ sql }) => /SELECT \*.* pushes|payload/.test(sql))).toEqual([]);
    jest.restoreAllMocks();
  });

  it.each(['active', 'expired'])('require a token: %s', async (list) => {
    for (const client of [running.anonymous, running.anonymous.with({ Authorization: 'Bearer wrong' })]) {
      const { status, headers, body } = await client.get(`/api/v2/pushes/${list}?page=0`);
      expect([status, body]).toEqual([401, { error: expect.any(String) }]);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('move a push from active to expired immediately after its last view or a delete', async () => {
    const [alive, viewed, deleted] = [
      await owner.client.push({ payload: 'tulip', name: 'alive' }),
      await owner.client.push({ payload: 'tulip', expire_after_views: 1, name: 'viewed' }),
      await owner.client.push({ payload: 'tulip', note: 'deleted' }),
    ];
    await running.anonymous.retrieve(viewed.url_token);
    await owner.client.delete(`/api/v2/pushes/${deleted.url_token}`);

    expect(tokensIn(await active(owner.client))).toEqual([alive.url_token]);
    expect((await expired(owner.client)).body).toMatchObject([
      { url_token: deleted.url_token, note: 'deleted', expired: true, deleted: true, views_remaining: 5 },
      { url_token: viewed.url_token, name: 'viewed', expired: true, deleted: false, views_remaining: 0 },
    ]);
  });

  it('are plain arrays of 50 per page, newest first, and empty past the end', async () => {
    const tokens: string[] = [];
    for (let i = 0; i < 101; i++) {
      const visitor = someVisitor({ userId: owner.id });
      tokens.unshift((await running.app.get(CreationsService).create(someNewPush(), visitor)).url_token);
    }
    const pages = [];
    for (const page of [1, 2, 3, 4, 200]) pages.push(await active(owner.client, `?page=${page}`));

    expect(pages.map(tokensIn)).toEqual([
      tokens.slice(0, 50),
      tokens.slice(50, 100),
      tokens.slice(100),
      [],
      [],
    ]);
    expect(pages.map(({ headers }) => headers.get('x-page'))).toEqual(['1', '2', '3', '4', '200']);
    for (const { headers } of pages) {
      expect(headers.get('x-per-page')).toBe('50');
      expect(headers.get('x-total')).toBe('101');
      expect(headers.get('x-total-pages')).toBe('3');
    }
    const link = (rels: Record<string, number>) =>
      Object.entries(rels)
        .map(([rel, page]) => `<${running.url}/api/v2/pushes/active?page=${page}>; rel="${rel}"`)
        .join(', ');
    expect(pages.map(({ headers }) => headers.get('link'))).toEqual([
      link({ first: 1, next: 2, last: 3 }),
      link({ first: 1, prev: 1, next: 3, last: 3 }),
      link({ first: 1, prev: 2, last: 3 }),
      link({ first: 1, prev: 3, last: 3 }),
      link({ first: 1, prev: 3, last: 3 }),
    ]);
  });

  it('have one page when they are empty', async () => {
    const { headers, body } = await expired(owner.client);

    expect(body).toEqual([]);
    expect(headers.get('x-total')).toBe('0');
    expect(headers.get('x-total-pages')).toBe('1');
    const first = `${running.url}/api/v2/pushes/expired?page=1`;
    expect(headers.get('link')).toBe(`<${first}>; rel="first", <${first}>; rel="last"`);
  });

  it('accept pages from 1 to 200, and so does the audit log', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    for (const list of ['active', 'expired', `${url_token}/audit`]) {
      for (const page of [1, 99, 200]) {
        expect((await owner.client.get(`/api/v2/pushes/${list}?page=${page}`)).status).toBe(200);
      }
    }
  });

  it.each([
    'page=0',
    'page=-1',
    'page=01',
    'page=201',
    'page=1000',
    'page=1e9',
    'page=1.0',
    'page=%201',
    'page=1%20',
    'page=1%0a',
    'page=%2B1',
    'page=0x1',
    'page=\u0661',
    'page=abc',
    'page=NaN',
    'page=',
    'page',
    'page=1&page=1',
    `page=${'9'.repeat(5000)}`,
  ])('reject %.20s with 400, and so does the audit log (I5)', async (query) => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    for (const list of ['active', 'expired', `${url_token}/audit`]) {
      const { status, body } = await owner.client.get(`/api/v2/pushes/${list}?${query}`);
      expect([status, body]).toEqual([400, { error: 'page must be a whole number from 1 to 200' }]);
    }
  });
});

describe('The pages of an audit log', () => {
  const running = forAllTests(() => startApp({ PUBLIC_URL: 'https://push.example.org/sub' }));

  it('have 50 entries, oldest first, and links with the public address', async () => {
    const { client } = await running.newUser();
    const { url_token } = await client.push({ payload: 'tulip', expire_after_views: 60 });
    for (let i = 0; i < 60; i++) await running.anonymous.retrieve(url_token);
    const path = `/api/v2/pushes/${url_token}/audit`;
    const [first, second, third] = [
      await client.get(path),
      await client.get(`${path}.json?page=2`),
      await client.get(`${path}?page=3`),
    ];

    expect(first.body.logs).toHaveLength(50);
    expect(first.body.logs[0].kind).toBe('creation');
    expect(second.body.logs).toHaveLength(11);
    expect(third.body).toEqual({ logs: [] });
    const times = [...first.body.logs, ...second.body.logs].map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort());
    expect(second.headers.get('x-total')).toBe('61');
    const address = `https://push.example.org/sub${path}?page=`;
    expect(second.headers.get('link')).toBe(
      `<${address}1>; rel="first", <${address}1>; rel="prev", <${address}2>; rel="last"`,
    );
  });
});
