import { randomUUID } from 'node:crypto';
import { User } from '../../auth/entities/user.entity.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Client } from '../../../test/support/client.js';
import { command } from '../../../test/support/command.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { startApp } from '../../../test/support/start-app.js';
import { newSignedInUser, PASSWORD, PageClient } from '../../../test/support/page-client.js';

describe('The account commands', () => {
  const running = forAllTests(startApp);

  beforeEach(() => running.app.get(UnitOfWork).run((manager) => manager.deleteAll(User)));

  const cli = (...args: string[]) => command(running.instance, args);
  const lines = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([0, '']);
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  const statusOf = async ({ client }: { client: Client }) =>
    (await client.get('/api/v2/pushes/active')).status;
  const signUp = async () => {
    const email = `${randomUUID()}@example.org`;
    const { status } = await new PageClient(running.url).post('/users/sign_up', {
      email,
      password: PASSWORD,
    });
    expect(status).toBe(303);
    return email;
  };

  it('user:list prints how each account was created, and no hash', async () => {
    const { email } = await running.newUser();
    const emailUnverified = await signUp();

    expect(await lines('user:list')).toEqual([
      {
        email,
        created_at: expect.any(String),
        signed_up: false,
        has_password: false,
        second_factor: false,
        signs_in_at_provider: false,
        administrator: false,
        disabled_at: null,
      },
      {
        email: emailUnverified,
        created_at: expect.any(String),
        signed_up: true,
        has_password: true,
        second_factor: false,
        signs_in_at_provider: false,
        administrator: false,
        disabled_at: null,
      },
    ]);
  });

  it('token:create rejects an account created by signing up, unless --existing is given (L12)', async () => {
    const email = await signUp();
    const refused = await cli('token:create', email);
    const [made] = await lines('token:create', email, '--existing');

    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'sealpush: This account was created by signing up, and the owner of its email address has not been ' +
        'verified. Use --existing if you know whose account it is.\n',
    });
    expect(made).toEqual({ email, token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) });
  });

  it('token:create limits a token, and token:list says to what', async () => {
    const email = await signUp();
    const limits = ['--scope', 'read', '--days', '30'];
    const [made] = await lines('token:create', email, '--existing', ...limits);
    const client = new Client(running.url, { Authorization: `Bearer ${made.token}` });
    const [listed] = await lines('token:list', email);
    const wrong = await cli('token:create', email, '--existing', '--days', '0');

    expect((await client.get('/api/v2/pushes/active')).status).toBe(200);
    expect((await client.post('/api/v2/pushes', { push: { payload: 'tulip' } })).status).toBe(403);
    expect(listed.scope).toBe('read');
    expect(Date.parse(listed.ends_at) - Date.parse(listed.created_at)).toBe(30 * 24 * 60 * 60 * 1000);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('It must be a whole number') });
  });

  it('user:disable ends sessions and blocks tokens and sign-in; user:enable unblocks the last two', async () => {
    const { email, pageClient } = await newSignedInUser(running);
    const [{ token }] = await lines('token:create', email, '--existing');
    const client = new Client(running.url, { Authorization: `Bearer ${token}` });
    const visitor = new PageClient(running.url);
    expect([await statusOf({ client }), await pageClient.isSignedIn()]).toEqual([200, true]);

    expect(await lines('user:disable', email)).toEqual([{ email, disabled: true }]);
    expect([await statusOf({ client }), await pageClient.isSignedIn()]).toEqual([401, false]);
    expect((await visitor.signIn(email)).status).toBe(422);

    expect(await lines('user:enable', email)).toEqual([{ email, disabled: false }]);
    expect([await statusOf({ client }), await pageClient.isSignedIn()]).toEqual([200, false]);
    expect((await visitor.signIn(email)).status).toBe(303);
  });

  it('user:password sets a generated password and prints it, or sets one from standard input', async () => {
    const { email, pageClient } = await newSignedInUser(running);
    const [{ password, ...rest }] = await lines('user:password', email);
    expect(rest).toEqual({ email });
    expect(await pageClient.isSignedIn()).toBe(false);
    expect((await pageClient.signIn(email)).status).toBe(422);
    expect((await pageClient.signIn(email, password)).status).toBe(303);

    const args = ['user:password', email, '--password-stdin'];
    const set = await command(running.instance, args, { input: 'nine tall blue mountains\n' });
    const tooShort = await command(running.instance, args, { input: 'short\n' });

    expect(set).toEqual({ code: 0, stdout: `{"email":"${email}"}\n`, stderr: '' });
    expect(tooShort.code).toBe(1);
    expect((await pageClient.signIn(email, 'nine tall blue mountains')).status).toBe(303);
  });

  it('token:list and token:revoke list and revoke only tokens of the given account', async () => {
    const [ada, eve] = [await running.newUser(), await running.newUser()];
    const [token] = await lines('token:list', ada.email);
    const foreign = await cli('token:revoke', eve.email, token.id);
    expect([foreign.code, await statusOf(ada)]).toEqual([1, 200]);

    expect(token).toEqual({
      id: expect.any(String),
      name: 'test',
      scope: 'everything',
      ends_at: null,
      prefix: expect.stringMatching(/^[\w-]{6}$/),
      created_at: expect.any(String),
      last_used_at: null,
    });
    expect(await lines('token:revoke', ada.email, token.id)).toEqual([{ id: token.id, revoked: true }]);
    expect([await statusOf(ada), await statusOf(eve)]).toEqual([401, 200]);
    expect(await lines('token:list', ada.email)).toEqual([]);
  });

  it('user:delete removes an account with its pushes', async () => {
    const { email, client } = await running.newUser();
    const { url_token } = await client.push({ payload: 'tulip' });

    expect(await lines('user:delete', email)).toEqual([{ email, deleted: true }]);
    expect((await running.anonymous.retrieve(url_token)).status).toBe(404);
    expect(await lines('user:list')).toEqual([]);
  });

  it('user:create --administrator, user:grant-admin and user:revoke-admin say who is an administrator', async () => {
    const isAdministrator = async () =>
      (await lines('user:list')).map(({ email, administrator }) => [email, administrator]);
    const create = ['user:create', 'ada@example.org', '--administrator', '--password-stdin'];
    await command(running.instance, create, { input: 'nine tall blue mountains' });
    await lines('user:create', 'eve@example.org');
    expect(await isAdministrator()).toEqual([
      ['ada@example.org', true],
      ['eve@example.org', false],
    ]);

    expect(await lines('user:grant-admin', 'eve@example.org')).toEqual([
      { email: 'eve@example.org', administrator: true },
    ]);
    for (const email of ['ada@example.org', 'eve@example.org'])
      expect(await lines('user:revoke-admin', email)).toEqual([{ email, administrator: false }]);
    expect((await isAdministrator()).map(([, administrator]) => administrator)).toEqual([false, false]);
  });

  it('the first administrator needs a password, so that somebody can sign in', async () => {
    const refused = {
      code: 1,
      stdout: '',
      stderr: 'sealpush: The first administrator needs a way to sign in.\n',
    };
    const { email } = await running.newUser();

    expect(await cli('user:create', 'ada@example.org', '--administrator')).toEqual(refused);
    expect(await cli('user:grant-admin', email)).toEqual(refused);
    expect(await lines('user:list')).toMatchObject([{ email, administrator: false }]);
  });

  it('user:grant-admin rejects an account that was created by signing up, unless --existing is given (L12)', async () => {
    const email = await signUp();

    expect(await cli('user:grant-admin', email)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('was created by signing up'),
    });
    expect(await lines('user:grant-admin', email, '--existing')).toEqual([{ email, administrator: true }]);
  });

  it.each([
    'user:delete',
    'user:password',
    'user:disable',
    'user:enable',
    'user:grant-admin',
    'user:revoke-admin',
    'token:list',
  ])('%s fails for an unknown account', async (command) => {
    expect(await cli(command, 'ada@example.org')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'sealpush: There is no account with this email address.\n',
    });
  });
});
