import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { User } from '../../src/auth/entities/user.entity.js';
import type { GroupRules } from '../../src/auth/entities/account-group.entity.js';
import { AccountGroupsService } from '../../src/auth/groups/account-groups.service.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { AS_SETTINGS, requiringAll } from '../support/account-groups.js';
import type { ClientResponse } from '../support/client.js';
import { Client } from '../support/client.js';
import type { Creator } from '../support/creation-ways.js';
import { CREATION_WAYS, textOf } from '../support/creation-ways.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { PageClient, PASSWORD_HASH } from '../support/page-client.js';
import { ageRecipient, ask } from '../support/requests.js';
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

let running: RunningApp;
const start = async (env: Record<string, string>) => (running = await startApp({ ...SETTINGS, ...env }));

const from = (ip: string, headers: Record<string, string> = {}): Creator => ({
  api: new Client(running.url, { 'X-Forwarded-For': ip, ...headers }),
  page: new PageClient(running.url, { 'X-Forwarded-For': ip }),
});

/** An account with a verified email address, signed in and with a token. */
async function newCreator(domain = 'example.org', ip = INSIDE): Promise<Creator & { user: User }> {
  const email = `${randomUUID()}@${domain}`;
  const { user } = await running.app.get(UsersService).create({ email, passwordHash: PASSWORD_HASH });
  const token = await running.app.get(TokensService).create(user, { name: 'test' });
  const { api, page } = from(ip, { Authorization: `Bearer ${token}` });
  await page.signIn(email);
  return { api, page, user };
}

const refusalOf = (answer: ClientResponse) => [answer.status, textOf(answer)];

describe('Where something is required everywhere', () => {
  forAllTests(() => start({ REQUIRE_PASSPHRASE: 'true', REQUIRE_CLICK: 'true' }));

  it.each(CREATION_WAYS)(
    '$name needs a passphrase, and the refusal names the setting',
    async ({ create }) => {
      const refused = await create(from(OUTSIDE), { payload: 'tulip' });
      const push = { payload: 'tulip', passphrase: 'horse', retrieval_step: 'on' };
      const accepted = await create(from(OUTSIDE), push);

      expect(refusalOf(refused)).toEqual([
        422,
        expect.stringContaining('required here (REQUIRE_PASSPHRASE)'),
      ]);
      expect(accepted.status).toBe(201);
    },
  );

  it.each(CREATION_WAYS)('$name makes no push that opens without a click', async ({ create }) => {
    const push = { payload: 'tulip', passphrase: 'horse' };
    const creator = await newCreator();
    const statuses = [
      (await create(creator, { ...push, retrieval_step: 'false' })).status,
      (await create(creator, { ...push, retrieval_step: 'true' })).status,
    ];
    const created = (await creator.api.get('/api/v2/pushes/active')).body as { retrieval_step: boolean }[];

    expect(statuses).toEqual([422, 201]);
    expect(created.map(({ retrieval_step }) => retrieval_step)).toEqual([true]);
  });

  it('the API waits for a click when a push does not say', async () => {
    const push = { payload: 'tulip', passphrase: 'horse' };
    expect((await from(OUTSIDE).api.push(push)).retrieval_step).toBe(true);
  });
});

describe.each(['api', 'pages'] as const)('Where something is required by %s only', (kind) => {
  const encrypted: Record<string, string> =
    kind === 'api' ? { END_TO_END_API: 'required' } : { END_TO_END: 'required' };
  forAllTests(() => start({ REQUIRE_PASSPHRASE: kind, REQUIRE_CLICK: kind, ...encrypted }));

  it.each(CREATION_WAYS.filter((way) => way.kind !== kind))('$name needs nothing', async ({ create }) => {
    const created = await create(from(OUTSIDE), { payload: 'tulip', retrieval_step: 'false' });
    expect(created.status).toBe(201);
  });

  it.each(CREATION_WAYS.filter((way) => way.kind === kind))(
    '$name takes only what its client has encrypted, and says why',
    async ({ create }) => {
      const refused = await create(from(OUTSIDE), { payload: 'tulip', passphrase: 'horse' });
      expect(refusalOf(refused)).toEqual([
        422,
        expect.stringMatching(
          kind === 'api' ? 'END_TO_END_API' : 'must be encrypted|encrypted in the browser',
        ),
      ]);
    },
  );
});

describe('Where a push must name its recipients', () => {
  const server = forAllTests(startMailServer);

  forAllTests(() => start({ ...server.env, REQUIRE_RECIPIENTS: 'true' }));

  it.each(CREATION_WAYS)('$name needs some, and the refusal names the setting', async ({ create }) => {
    const refused = await create(from(OUTSIDE), { payload: 'tulip', recipients: ' ' });
    const accepted = await create(from(OUTSIDE), { payload: 'tulip', recipients: '@example.org' });

    expect(refusalOf(refused)).toEqual([422, expect.stringContaining('required here (REQUIRE_RECIPIENTS)')]);
    expect(accepted.status).toBe(201);
  });

  it('the form asks for them, and shows their field', async () => {
    const { body } = await from(OUTSIDE).page.get('/');
    expect(body).toMatch(/id="with-people"[^>]* checked/);
    expect(body).toMatch(/<input(?=[^>]* name="push\[recipients\]")[^>]* required/);
  });
});

describe('Where only some networks may create', () => {
  forAllTests(() => start({ CREATORS: '192.0.2.0/24, 2001:db8::/48' }));

  it.each(CREATION_WAYS)('$name works from there', async ({ create }) => {
    for (const ip of [INSIDE, '2001:db8::1', '::ffff:192.0.2.9'])
      expect([ip, (await create(from(ip), { payload: 'tulip' })).status]).toEqual([ip, 201]);
  });

  it.each(CREATION_WAYS)('$name is refused elsewhere, with an account too (B2)', async ({ create }) => {
    const account = await newCreator('example.org', OUTSIDE);
    const others = [OUTSIDE, '2001:db8:1::1', `${INSIDE}, ${OUTSIDE}`].map((ip) => from(ip));
    for (const creator of [account, ...others])
      expect(refusalOf(await create(creator, { payload: 'tulip' }))).toEqual([
        403,
        expect.stringContaining('(CREATORS)'),
      ]);
  });

  it.each(CREATION_WAYS)('$name stores no file before it is refused (C2)', async ({ create }) => {
    const stored = () => readdir(join(running.instance.dataDir, 'files')).catch(() => []);
    const before = await stored();
    await create(from(OUTSIDE), { payload: 'tulip' });
    expect(await stored()).toEqual(before);
  });
});

describe('Where only some networks need no account, and accounts need an address of some domains', () => {
  forAllTests(() =>
    start({ ANONYMOUS_CREATORS: '192.0.2.0/24', CREATOR_DOMAINS: 'example.org, example.net' }),
  );

  it.each(CREATION_WAYS)('$name works without an account from there alone', async ({ create, kind }) => {
    const answers = [INSIDE, OUTSIDE].map((ip) => create(from(ip), { payload: 'tulip' }));
    const [inside, outside] = (await Promise.all(answers)) as [ClientResponse, ClientResponse];

    expect([inside.status, outside.status]).toEqual([201, kind === 'api' ? 401 : expect.any(Number)]);
    if (kind === 'pages')
      expect(outside.status === 401 || outside.headers.get('location')?.startsWith('/users/sign_in')).toBe(
        true,
      );
  });

  it.each(CREATION_WAYS)('$name works with a verified address of these domains (C9)', async ({ create }) => {
    const outcome = async (domain: string, emailUnverified = false) => {
      const creator = await newCreator(domain, OUTSIDE);
      await running.dataSource.manager.update(User, { id: creator.user.id }, { emailUnverified });
      return create(creator, { payload: 'tulip' });
    };
    const accepted = [await outcome('example.org'), await outcome('example.net')];
    const refused = [
      await outcome('example.com'),
      await outcome('sub.example.org'),
      await outcome('notexample.org'),
      await outcome('example.org', true),
    ];

    expect(accepted.map(({ status }) => status)).toEqual([201, 201]);
    expect(refused.map(refusalOf)).toEqual(
      Array(4).fill([403, expect.stringContaining('(CREATOR_DOMAINS)')]),
    );
  });
});

describe('An account in a group', () => {
  let creator: Creator & { user: User };

  forAllTests(() => start({ EXPIRE_AFTER_DAYS_MIN: '2' }));
  beforeEach(async () => (creator = await newCreator()));

  const join = async (rules: Partial<GroupRules>) => {
    const groups = running.app.get(AccountGroupsService);
    const name = `Group ${creator.user.id}`;
    await groups.assign(creator.user, await groups.create({ ...AS_SETTINGS, ...rules, name }));
    return name;
  };

  it.each(CREATION_WAYS)('follows its rules by $name from then on', async ({ kind, create }) => {
    const before = await create(creator, { payload: 'tulip' });
    const name = await join({ requirePassphrase: kind });
    const refused = await create(creator, { payload: 'tulip' });
    const accepted = await create(creator, { payload: 'tulip', passphrase: 'horse' });

    expect([before.status, accepted.status]).toEqual([201, 201]);
    expect(refusalOf(refused)).toEqual([
      422,
      expect.stringMatching(`required in (the|your) group,? ${name}`),
    ]);
  });

  it.each(CREATION_WAYS)('follows no rule for another way by $name', async ({ kind, create }) => {
    const other = kind === 'api' ? 'pages' : 'api';
    await join(requiringAll(other));
    const created = await create(creator, { payload: 'tulip', retrieval_step: 'false' });
    expect(created.status).toBe(201);
  });

  it.each(CREATION_WAYS)('may be forbidden $name', async ({ create }) => {
    const name = await join({ mayCreate: false });
    const refused = await create(creator, { payload: 'tulip' });
    expect(refusalOf(refused)).toEqual([403, expect.stringContaining(name)]);
  });

  it.each(CREATION_WAYS)('has its maximums by $name, which defaults keep to (A3)', async ({ create }) => {
    const name = await join({ maxDays: 3, maxViews: 2 });
    const limits: Record<string, string>[] = [
      { expire_after_days: '4' },
      { expire_after_duration: '12' },
      { expire_after_views: '3' },
    ];
    for (const limit of limits) {
      const refused = await create(creator, { payload: 'tulip', ...limit });
      expect([limit, ...refusalOf(refused)]).toEqual([limit, 422, expect.stringContaining(name)]);
    }
    const created = await create(creator, { payload: 'tulip' });
    const [push] = (await creator.api.get('/api/v2/pushes/active')).body;
    expect([created.status, push.expire_after_days, push.expire_after_views]).toEqual([201, 3, 2]);
  });

  it.each(CREATION_WAYS)('is not allowed by $name what the settings forbid', async ({ create }) => {
    await join({ maxDays: 1000, maxViews: 1_000_000 });
    const refused = [
      await create(creator, { payload: 'tulip', expire_after_days: '91' }),
      await create(creator, { payload: 'tulip', expire_after_views: '101' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422]);
  });

  it('can use the smallest number of days that the settings allow', async () => {
    await join({ maxDays: 1 });
    expect((await creator.api.push({ payload: 'tulip' })).expire_after_days).toBe(2);
  });

  it.each(CREATION_WAYS)('does not leave it by a field of $name (C11)', async ({ create }) => {
    await join({ requirePassphrase: 'true' });
    await create(creator, { payload: 'tulip', passphrase: 'x', group_id: '', groupId: '', may_create: 'on' });
    expect((await create(creator, { payload: 'tulip' })).status).toBe(422);
  });
});

describe('The form of a visitor', () => {
  it('has what is required, and does not offer what would be refused', async () => {
    await forThisTest(start({ REQUIRE_PASSPHRASE: 'pages', REQUIRE_CLICK: 'pages' }));
    const { body } = await from(OUTSIDE).page.get('/?click=0');

    expect(body).toMatch(/<input [^>]*\bid="passphrase"[^>]* required/);
    expect(body).not.toContain('id="retrieval_step"');
    expect(body).toContain('<input type="hidden" name="push[retrieval_step]" value="on"');
  });

  it('has the limits of the group', async () => {
    await forThisTest(start({}));
    const creator = await newCreator();
    const groups = running.app.get(AccountGroupsService);
    const group = await groups.create({ ...AS_SETTINGS, maxDays: 3, maxViews: 2, requireEndToEnd: 'pages' });
    await groups.assign(creator.user, group);
    const { body } = await creator.page.get('/?views=50&duration=30d');

    expect(body).toMatch(/id="expire_after_days"[^>]* max="3"/);
    expect(body).toMatch(/id="expire_after_views"[^>]* max="2"/);
    expect(body).toMatch(/<option value="1"[^>]*>1 view</);
    expect(body).not.toMatch(/<option value="5"[^>]*>5 views</);
    expect(body).toContain('data-encryption="required"');
  });

  it('is not shown to who may not create, who sees why', async () => {
    await forThisTest(start({ CREATORS: INSIDE }));
    const { page } = await newCreator('example.org', OUTSIDE);
    for (const path of ['/', '/requests/new']) {
      const { status, body } = await page.get(path);
      expect([status, body.includes('(CREATORS)'), body.includes('<textarea')]).toEqual([403, true, false]);
    }
  });

  it('is preceded by signing in where an account is needed', async () => {
    await forThisTest(start({ ANONYMOUS_CREATORS: INSIDE }));
    const [inside, outside] = [await from(INSIDE).page.get('/'), await from(OUTSIDE).page.get('/')];

    expect([inside.status, outside.status]).toEqual([200, 303]);
    expect(outside.headers.get('location')).toMatch('/users/sign_in');
  });
});

describe('Policies', () => {
  it('never concern recipients', async () => {
    await forThisTest(
      start({ CREATORS: INSIDE, ANONYMOUS_CREATORS: INSIDE, CREATOR_DOMAINS: 'example.org' }),
    );
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
    await forThisTest(start({ CREATORS: INSIDE, END_TO_END_API: 'required' }));
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
    await forThisTest(start({ REQUIRE_PASSPHRASE: 'true', REQUIRE_CLICK: 'true' }));
    const refused = await from(OUTSIDE).api.post('/api/v2/pushes', {
      push: { payload: 'tulip', client_encrypted: true },
    });
    expect(Object.keys(refused.body)).toEqual(['payload', 'passphrase']);
    expect(textOf(refused)).not.toContain('REQUIRE');
  });

  it('do not trust an address that no proxy has reported (B2)', async () => {
    running = await forThisTest(startApp({ CREATORS: INSIDE }));
    const answer = await from(INSIDE).api.post('/api/v2/pushes', { push: { payload: 'tulip' } });
    expect(answer.status).toBe(403);
  });
});
