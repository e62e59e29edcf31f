import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { User } from '../../src/auth/entities/user.entity.js';
import type { GroupRules } from '../../src/auth/entities/account-group.entity.js';
import { AccountGroupsService } from '../../src/auth/groups/account-groups.service.js';
import { Client } from '../support/client.js';
import { newApiToken } from '../support/command.js';
import type { Creator } from '../support/creation-ways.js';
import { CREATION_WAYS, textOf } from '../support/creation-ways.js';
import type { Instance } from '../support/instance.js';
import { makeInstance } from '../support/instance.js';
import { newSignedInUser, PageClient } from '../support/page-client.js';
import { ageRecipient, ask } from '../support/requests.js';
import { spawnServer } from '../support/spawn-server.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const SETTINGS = {
  TRUSTED_PROXIES: '127.0.0.1',
  FILES_REQUIRE_AUTHENTICATION: 'false',
  ENABLE_REQUESTS_API: 'true',
  END_TO_END: 'offered',
};
const INSIDE = '192.0.2.7';
const OUTSIDE = '198.51.100.7';

const AS_SETTINGS: GroupRules = {
  name: 'Contractors',
  mayCreate: true,
  maxDays: null,
  maxViews: null,
  requirePassphrase: 'false',
  requireClick: 'false',
  requireEndToEnd: 'false',
};

let running: RunningApp;
const start = async (env: Record<string, string>) => (running = await startApp({ ...SETTINGS, ...env }));
const stop = () => running.stop();

const from = (ip: string, headers: Record<string, string> = {}): Creator => ({
  api: new Client(running.url, { 'X-Forwarded-For': ip, ...headers }),
  page: new PageClient(running.url, { 'X-Forwarded-For': ip }),
});

/** An account with a verified email address, signed in and with a token. */
async function newCreator(domain = 'example.org', ip = INSIDE): Promise<Creator & { user: User }> {
  const { manager } = running.dataSource;
  const { id, pageClient } = await newSignedInUser(running);
  const { token, id: ofToken } = await running.newUser();
  const email = `${id}@${domain}`;
  await manager.query(`UPDATE api_tokens SET user_id = '${id}' WHERE user_id = '${ofToken}'`);
  await manager.update(User, { id }, { email, emailUnverified: false });
  const { api, page } = from(ip, { Authorization: `Bearer ${token}` });
  await page.signIn(email);
  expect(pageClient.url).toBe(running.url);
  return { api, page, user: await manager.findOneByOrFail(User, { id }) };
}

const isCreated = ({ status }: { status: number }) => status === 201;

describe.each(CREATION_WAYS)('Creating by $name', ({ kind, create }) => {
  const other = kind === 'api' ? 'pages' : 'api';

  describe('where something is required everywhere', () => {
    beforeAll(() => start({ REQUIRE_PASSPHRASE: 'true', REQUIRE_CLICK: 'true' }));
    afterAll(stop);

    it('needs a passphrase, and the refusal names the setting', async () => {
      const refused = await create(from(OUTSIDE), { payload: 'tulip' });
      const accepted = await create(from(OUTSIDE), { payload: 'tulip', passphrase: 'horse' });

      expect([refused.status, accepted.status]).toEqual([422, 201]);
      expect(textOf(refused)).toContain('required here (REQUIRE_PASSPHRASE)');
    });

    it('waits for a click, also when that is not said, and not when it is refused', async () => {
      const refused = await create(from(OUTSIDE), {
        payload: 'tulip',
        passphrase: 'horse',
        retrieval_step: 'false',
      });
      const { count } = await running.dataSource
        .query('SELECT COUNT(*) AS count FROM pushes WHERE retrieval_step = 0')
        .then(([row]: [{ count: number | string }]) => row);

      expect(isCreated(refused)).toBe(false);
      expect(Number(count)).toBe(0);
    });
  });

  describe('where something is required elsewhere', () => {
    beforeAll(() =>
      start({
        REQUIRE_PASSPHRASE: other,
        REQUIRE_CLICK: other,
        ...(other === 'api' ? { END_TO_END_API: 'required' } : { END_TO_END: 'required' }),
      }),
    );
    afterAll(stop);

    it('needs nothing of that', async () => {
      const created = await create(from(OUTSIDE), { payload: 'tulip', retrieval_step: 'false' });
      expect(created.status).toBe(201);
    });
  });

  describe('where pushes must be encrypted by their clients', () => {
    beforeAll(() => start({ END_TO_END_API: 'required', END_TO_END: 'required' }));
    afterAll(stop);

    it('takes no other, and says why', async () => {
      const refused = await create(from(OUTSIDE), { payload: 'tulip' });

      expect(refused.status).toBe(422);
      expect(textOf(refused)).toMatch(kind === 'api' ? /END_TO_END_API/ : /encrypt/);
    });
  });

  describe('where only some networks may create', () => {
    beforeAll(() => start({ CREATORS: '192.0.2.0/24, 2001:db8::/48' }));
    afterAll(stop);

    it.each([INSIDE, '2001:db8::1', '::ffff:192.0.2.9'])('works from %s', async (ip) => {
      expect((await create(from(ip), { payload: 'tulip' })).status).toBe(201);
    });

    it.each([OUTSIDE, '2001:db8:1::1', `${INSIDE}, ${OUTSIDE}`])(
      'is a 403 from %s, with an account too (B2)',
      async (ip) => {
        const creators = [from(ip), await newCreator('example.org', ip)];
        for (const creator of creators) {
          const refused = await create(creator, { payload: 'tulip' });
          expect(refused.status).toBe(403);
          expect(textOf(refused)).toContain('(CREATORS)');
        }
      },
    );

    it('stores nothing of a file before it is refused (C2)', async () => {
      await create(from(OUTSIDE), { payload: 'tulip' });
      await create(from(INSIDE), { payload: 'tulip' });
      const stored = await readdir(join(running.instance.dataDir, 'files')).catch(() => []);
      await create(from(OUTSIDE), { payload: 'tulip' });
      expect(await readdir(join(running.instance.dataDir, 'files')).catch(() => [])).toEqual(stored);
    });
  });

  describe('where only some networks need no account', () => {
    beforeAll(() =>
      start({ ANONYMOUS_CREATORS: '192.0.2.0/24', CREATOR_DOMAINS: 'example.org, example.net' }),
    );
    afterAll(stop);

    it('works from there without an account, and elsewhere is as without ALLOW_ANONYMOUS', async () => {
      const [inside, outside] = [
        await create(from(INSIDE), { payload: 'tulip' }),
        await create(from(OUTSIDE), { payload: 'tulip' }),
      ];
      expect(inside.status).toBe(201);
      expect([401, 303]).toContain(outside.status);
      expect(outside.headers.get('location') ?? '/users/sign_in').toMatch('/users/sign_in');
    });

    it('works with accounts of the domains only, whose addresses are verified (C9)', async () => {
      const outcomes = async (domain: string, emailUnverified = false) => {
        const creator = await newCreator(domain, OUTSIDE);
        await running.dataSource.manager.update(User, { id: creator.user.id }, { emailUnverified });
        return create(creator, { payload: 'tulip' });
      };
      expect((await outcomes('example.org')).status).toBe(201);
      expect((await outcomes('example.net')).status).toBe(201);
      const refused = [
        await outcomes('example.com'),
        await outcomes('sub.example.org'),
        await outcomes('notexample.org'),
        await outcomes('example.org', true),
      ];
      for (const answer of refused) {
        expect(answer.status).toBe(403);
        expect(textOf(answer)).toContain('(CREATOR_DOMAINS)');
      }
    });
  });

  describe('with an account in a group', () => {
    let creator: Creator & { user: User };
    beforeAll(() => start({ EXPIRE_AFTER_DAYS_MIN: '2', REQUIRE_CLICK: kind }));
    beforeEach(async () => (creator = await newCreator()));
    afterAll(stop);

    const join = async (rules: Partial<GroupRules>) => {
      const groups = running.app.get(AccountGroupsService);
      const group = await groups.create({ ...AS_SETTINGS, ...rules, name: `Group ${creator.user.id}` });
      await groups.assign(creator.user, group);
    };

    it('follows its rules from the next request on, and names it', async () => {
      expect((await create(creator, { payload: 'tulip' })).status).toBe(201);
      await join({ requirePassphrase: kind });
      const refused = await create(creator, { payload: 'tulip' });

      expect(refused.status).toBe(422);
      expect(textOf(refused)).toMatch(new RegExp(`required in (the|your) group,? Group ${creator.user.id}`));
      expect((await create(creator, { payload: 'tulip', passphrase: 'horse' })).status).toBe(201);
    });

    it('follows no rule for another way', async () => {
      await join({ requirePassphrase: other, requireEndToEnd: other });
      expect((await create(creator, { payload: 'tulip' })).status).toBe(201);
    });

    it('may be forbidden', async () => {
      await join({ mayCreate: false });
      const refused = await create(creator, { payload: 'tulip' });

      expect(refused.status).toBe(403);
      expect(textOf(refused)).toContain(`Group ${creator.user.id}`);
    });

    it('has its maximums, which defaults keep to', async () => {
      await join({ maxDays: 3, maxViews: 2 });
      const limits = [
        { expire_after_days: '4' },
        { expire_after_duration: '12' },
        { expire_after_views: '3' },
      ] as Record<string, string>[];
      for (const limit of limits) {
        const refused = await create(creator, { payload: 'tulip', ...limit });
        expect([limit, refused.status]).toEqual([limit, 422]);
        expect(textOf(refused)).toContain(`Group ${creator.user.id}`);
      }
      expect((await create(creator, { payload: 'tulip' })).status).toBe(201);
      const [last] = (await creator.api.get('/api/v2/pushes/active')).body;
      expect([last.expire_after_days, last.expire_after_views]).toEqual([3, 2]);
    });

    it('cannot be allowed what the settings forbid', async () => {
      await join({ maxDays: 1, requireClick: 'false' });
      const created = await create(creator, { payload: 'tulip', expire_after_days: '2' });
      const refused = await create(creator, { payload: 'tulip', retrieval_step: 'false' });

      expect([created.status, isCreated(refused)]).toEqual([201, false]);
    });

    it('cannot be moved to another one by a field (C11)', async () => {
      await join({ mayCreate: true, requirePassphrase: 'true' });
      await create(creator, {
        payload: 'tulip',
        passphrase: 'x',
        group_id: '',
        groupId: '',
        may_create: 'on',
      });
      expect((await create(creator, { payload: 'tulip' })).status).toBe(422);
    });
  });
});

describe('The form of a visitor', () => {
  afterEach(stop);

  it('has what is required, and does not offer what would be refused', async () => {
    await start({ REQUIRE_PASSPHRASE: 'pages', REQUIRE_CLICK: 'pages' });
    const { body } = await from(OUTSIDE).page.get('/?click=0');

    expect(body).toMatch(/<input id="passphrase"[^>]* required/);
    expect(body).not.toContain('id="retrieval_step"');
    expect(body).toContain('<input type="hidden" name="push[retrieval_step]" value="on"');
  });

  it('has the limits of the group', async () => {
    await start({});
    const creator = await newCreator();
    const groups = running.app.get(AccountGroupsService);
    const group = await groups.create({ ...AS_SETTINGS, maxDays: 3, maxViews: 2, requireEndToEnd: 'pages' });
    await groups.assign(creator.user, group);
    const { body } = await creator.page.get('/?views=50&duration=30d');

    expect(body).toMatch(/id="expire_after_days"[^>]* max="3"/);
    expect(body).toMatch(/id="expire_after_views"[^>]* max="2"/);
    expect(body).not.toContain('value="5"');
    expect(body).toContain('data-encryption="required"');
  });

  it('is not shown to who may not create, who sees why', async () => {
    await start({ CREATORS: INSIDE });
    const { page } = await newCreator('example.org', OUTSIDE);
    for (const path of ['/', '/requests/new']) {
      const { status, body } = await page.get(path);
      expect([status, body.includes('(CREATORS)'), body.includes('<textarea')]).toEqual([403, true, false]);
    }
  });

  it('is preceded by signing in where an account is needed', async () => {
    await start({ ANONYMOUS_CREATORS: INSIDE });
    const [inside, outside] = [await from(INSIDE).page.get('/'), await from(OUTSIDE).page.get('/')];

    expect([inside.status, outside.status]).toEqual([200, 303]);
    expect(outside.headers.get('location')).toMatch('/users/sign_in');
  });
});

describe('Policies', () => {
  afterEach(stop);

  it('never concern recipients', async () => {
    await start({ CREATORS: INSIDE, ANONYMOUS_CREATORS: INSIDE, CREATOR_DOMAINS: 'example.org' });
    const { api } = from(INSIDE);
    const { url_token } = await api.push({ payload: 'tulip' });
    const outside = from(OUTSIDE);

    expect((await outside.page.get(`/p/${url_token}`)).status).toBe(200);
    expect((await outside.api.retrieve(url_token)).body.payload).toBe('tulip');
    const creator = await newCreator();
    const request = await ask(creator.api);
    const path = `/requests/${request.url_token}`;
    expect((await outside.page.post(path, { 'push[payload]': 'rose' })).status).toBe(201);
  });

  it('concern requests: who may ask, how long answers live, and that they are encrypted', async () => {
    await start({ CREATORS: INSIDE, END_TO_END_API: 'required' });
    const { recipient } = await ageRecipient();
    const [inside, outside] = [await newCreator(), await newCreator('example.org', OUTSIDE)];
    const post = ({ api }: Creator, request: object) =>
      api.post('/api/v2/requests', { request: { request: 'Your key', ...request } });

    expect((await post(outside, { recipient })).status).toBe(403);
    expect((await outside.page.post('/requests', { request: 'Your key' })).status).toBe(403);
    expect((await post(inside, {})).body.recipient).toEqual(['is required here (END_TO_END_API)']);
    const groups = running.app.get(AccountGroupsService);
    await groups.assign(inside.user, await groups.create({ ...AS_SETTINGS, maxDays: 3 }));
    expect((await post(inside, { recipient, expire_after_days: 4 })).status).toBe(422);
    expect((await post(inside, { recipient })).status).toBe(201);
  });

  it('of what its client has encrypted need no passphrase that the service could see', async () => {
    await start({ REQUIRE_PASSPHRASE: 'true', REQUIRE_CLICK: 'true' });
    const refused = await from(OUTSIDE).api.post('/api/v2/pushes', {
      push: { payload: 'tulip', client_encrypted: true },
    });
    expect(Object.keys(refused.body)).toEqual(['payload', 'passphrase']);
    expect(textOf(refused)).not.toContain('REQUIRE');
  });

  it('do not trust an address that no proxy has reported (B2)', async () => {
    running = await startApp({ CREATORS: INSIDE });
    const answer = await from(INSIDE).api.post('/api/v2/pushes', { push: { payload: 'tulip' } });
    expect(answer.status).toBe(403);
  });
});

describe('The group of an account', () => {
  let instance: Instance;

  beforeAll(async () => (instance = await makeInstance()));
  afterAll(() => instance.destroy());

  it('holds at once in all processes', async () => {
    const token = await newApiToken(instance);
    const servers = [await spawnServer(instance), await spawnServer(instance)];
    running = await startApp({}, { instance });
    const groups = running.app.get(AccountGroupsService);
    const user = await running.dataSource.manager.findOneByOrFail(User, { email: 'owner@example.org' });
    const statuses = () =>
      Promise.all(
        servers.map(async ({ url }) => {
          const client = new Client(url, { Authorization: `Bearer ${token}` });
          return (await client.post('/api/v2/pushes', { push: { payload: 'tulip' } })).status;
        }),
      );

    const group = await groups.create(AS_SETTINGS);
    await groups.assign(user, group);
    expect(await statuses()).toEqual([201, 201]);
    await groups.change(group, { ...AS_SETTINGS, mayCreate: false });
    expect(await statuses()).toEqual([403, 403]);
    await groups.delete(group, null);
    expect(await statuses()).toEqual([201, 201]);
    await Promise.all([running.stop(), ...servers.map((server) => server.stop())]);
  });
});
