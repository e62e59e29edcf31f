import { randomUUID } from 'node:crypto';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { PasswordLink } from '../../auth/entities/password-link.entity.js';
import { LinkInvalid, PasswordLinksService } from '../../auth/links/password-links.service.js';
import { SignInsService } from '../../auth/sign-in/sign-ins.service.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { OwnAccountService } from '../../auth/sign-in/own-account.service.js';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import { Session } from '../../auth/entities/session.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { UsersService } from '../../auth/users/users.service.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../platform/logging/log.js';
import { makeAuthenticationsOld } from '../../../test/support/authenticator-app.js';
import { newAdministrator, passwordPath } from '../../../test/support/administrator.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import type { SignedInUser } from '../../../test/support/page-client.js';
import { newSignedInUser, PASSWORD, PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const NEW_PASSWORD = 'nine tall blue mountains';
const choice = { new_password: NEW_PASSWORD, new_password_repeat: NEW_PASSWORD };
const HOUR_MS = 60 * 60 * 1000;

describe('An administrator', () => {
  const running = forAllTests(startApp);
  let admin: SignedInUser;
  let events: jest.SpyInstance;

  beforeAll(() => (events = jest.spyOn(running.app.get(Log), 'event')));
  beforeEach(async () => {
    events.mockClear();
    await running.app
      .get(UnitOfWork)
      .run((manager) => manager.update(User, { administrator: true }, { administrator: false }));
    admin = await newAdministrator(running);
  });

  const act = (by: SignedInUser, id: string, name: string, password = PASSWORD) =>
    by.pageClient.post(`/admin/accounts/${id}/${name}`, { password });
  const newLink = async (id: string) => passwordPath((await act(admin, id, 'password_link')).body);
  const visitor = () => new PageClient(running.url);
  const find = (id: string) => running.dataSource.manager.findOneBy(User, { id });
  const isAdministrator = async ({ id }: SignedInUser) => (await find(id))?.administrator;
  const tokenOf = (path: string) => path.split('/').at(-1) ?? '';

  it('invites by a link that is shown once, survives previews, and sets the password once', async () => {
    const email = `${randomUUID()}@example.org`;
    const { status, body } = await admin.pageClient.post('/admin/accounts', { email });
    const path = passwordPath(body);
    expect(status).toBe(201);
    const [{ id = '', digest = '' } = {}] = await running.query(
      'SELECT users.id, digest FROM users JOIN password_links ON user_id = users.id WHERE email = ?',
      [email],
    );
    expect(digest).not.toContain(tokenOf(path));
    expect((await admin.pageClient.get(`/admin/accounts/${id}`)).body).not.toContain(tokenOf(path));

    const page = await visitor().get(path);
    await visitor().get(path);
    expect([page.status, page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
      200,
      'no-store, no-transform',
      'same-origin',
    ]);
    expect((await visitor().post(path, { ...choice, new_password: 'short' })).status).toBe(422);
    const { headers } = await visitor().post(path, choice);
    expect(headers.get('location')).toBe('/users/sign_in?done=password_set');
    expect((await visitor().signIn(email, NEW_PASSWORD)).status).toBe(303);

    for (const used of [visitor().get(path), visitor().post(path, choice), visitor().get(`${path}x`)]) {
      const answer = await used;
      expect([answer.status, answer.body]).toEqual([410, expect.stringContaining('expired')]);
      expect(answer.body).not.toContain(email);
    }
    expect(await find(id)).toMatchObject({ emailUnverified: false, administrator: false });
  });

  it('cannot invite twice, nor anything but an email address', async () => {
    const { email } = await newSignedInUser(running);
    for (const wrong of [email.toUpperCase(), 'x', '', `${'a'.repeat(300)}@example.org`])
      expect((await admin.pageClient.post('/admin/accounts', { email: wrong })).status).toBe(422);
  });

  it('makes links for a new password: the last one works, once, within an hour, and ends all sessions', async () => {
    const { id, email, pageClient } = await newSignedInUser(running);
    const first = await newLink(id);
    const second = await newLink(id);
    const links = running.app.get(PasswordLinksService);
    expect((await visitor().get(first)).status).toBe(410);
    await expect(
      links.accountOf(tokenOf(second), new Date(Date.now() + HOUR_MS + 1000)),
    ).rejects.toBeInstanceOf(LinkInvalid);
    expect(await pageClient.isSignedIn()).toBe(true);

    const answers = await allAtOnce(5, () => visitor().post(second, choice));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await pageClient.isSignedIn()).toBe(false);
    expect((await visitor().signIn(email)).status).toBe(422);
    expect((await visitor().signIn(email, NEW_PASSWORD)).status).toBe(303);
    expect(await running.dataSource.manager.countBy(PasswordLink, { userId: id })).toBe(0);
  });

  it('ends the tokens of whoever signed up with the address of another, by a link for that other (L12)', async () => {
    const { id, email } = await newSignedInUser(running);
    const { user, token } = await running.app
      .get(UsersService)
      .createWithToken(`${randomUUID()}@b.org`, undefined, 'a');
    const stranger = await running.app
      .get(TokensService)
      .create(await running.dataSource.manager.findOneByOrFail(User, { email }), { name: 'of a stranger' });
    for (const account of [id, user.id]) await visitor().post(await newLink(account), choice);

    const statusOf = async (value: string) =>
      (await running.anonymous.with({ Authorization: `Bearer ${value}` }).get('/api/v2/pushes/active'))
        .status;
    expect([await statusOf(stranger), await statusOf(token)]).toEqual([401, 200]);
  });

  it('begins no session, and changes no password, by one that was replaced in the meantime (D1)', async () => {
    const { id } = await newSignedInUser(running);
    const checked = await running.dataSource.manager.findOneByOrFail(User, { id });
    await visitor().post(await newLink(id), choice);
    const signIns = running.app.get(SignInsService);
    const changed = running.app
      .get(OwnAccountService)
      .changePassword(checked, new Session(), 'seven wide green rivers', '192.0.2.1');

    await expect(signIns.begin(checked)).rejects.toBeInstanceOf(SignInNeeded);
    await expect(changed).rejects.toBeInstanceOf(SignInNeeded);
    const now = await running.dataSource.manager.findOneByOrFail(User, { id });
    await act(admin, id, 'disable');
    await expect(signIns.begin(now)).rejects.toBeInstanceOf(SignInNeeded);
  });

  it('ends the link, the sessions and the rights of an account by disabling it (D1)', async () => {
    const { id, email, pageClient } = await newSignedInUser(running);
    const path = await newLink(id);
    expect((await act(admin, id, 'disable')).headers.get('location')).toContain('done=disable');
    expect([await pageClient.isSignedIn(), (await visitor().signIn(email)).status]).toEqual([false, 422]);
    expect((await visitor().post(path, choice)).status).toBe(410);

    await act(admin, id, 'enable');
    expect((await visitor().get(path)).status).toBe(410);
    expect((await visitor().signIn(email)).status).toBe(303);
  });

  it('makes others administrators, takes that back, makes links and deletes only after reauthentication', async () => {
    const member = await newSignedInUser(running);
    const isRefused = async (name: string) => {
      await makeAuthenticationsOld(running, admin);
      const refused = await act(admin, member.id, name, 'wrong');
      expect([refused.status, passwordPath(refused.body)]).toEqual([422, '']);
      expect(refused.body).toContain('Wrong password');
    };
    for (const name of ['password_link', 'disable', 'delete']) await isRefused(name);
    expect(await isAdministrator(member)).toBe(false);

    await act(admin, member.id, 'promote');
    expect((await member.pageClient.get('/admin/accounts')).status).toBe(200);
    await isRefused('demote');
    await act(admin, member.id, 'demote');
    expect((await member.pageClient.get('/admin/accounts')).status).toBe(404);
    await act(admin, member.id, 'delete');
    expect([await find(member.id), await member.pageClient.isSignedIn()]).toEqual([null, false]);
    expect((await act(admin, member.id, 'delete')).status).toBe(404);
  });

  it.each(['demote', 'disable', 'delete'])(
    'remains when two administrators %s each other at the same time (C5)',
    async (name) => {
      const other = await newAdministrator(running);
      await Promise.all([act(admin, other.id, name), act(other, admin.id, name)]);

      const able = await running.dataSource.manager.find(User, { where: { administrator: true } });
      expect(able.filter(({ disabledAt }) => disabledAt === null)).toHaveLength(1);
    },
  );

  it('who is the last one cannot be removed on the pages, also not by deleting the own account', async () => {
    await running.app.get(AdministratorsService).promote(await running.newUser()); // without a password
    for (const name of ['demote', 'disable', 'delete']) {
      const { status, body } = await act(admin, admin.id, name);
      expect([status, body]).toEqual([422, expect.stringContaining('last administrator')]);
    }
    const { status } = await admin.pageClient.post('/users/edit/delete', { password: PASSWORD });
    expect([status, await isAdministrator(admin)]).toEqual([422, true]);
  });

  it('sees how many pushes an account has, and nothing of them (C4)', async () => {
    const { id, email, client } = await running.newUser();
    const { url_token } = await client.push({ payload: 'tulip', name: 'daffodil', note: 'crocus' });
    const { headers } = await admin.pageClient.post('/admin/accounts/find', { find: ` ${email} ` });
    expect(headers.get('location')).toBe(`/admin/accounts/${id}`);
    const pages = [`/admin/accounts/${id}`, '/admin/accounts', '/admin/accounts?page=1'];
    const bodies = await Promise.all(pages.map(async (path) => (await admin.pageClient.get(path)).body));

    expect(bodies[0]).toContain('1 active secret</p>');
    expect(bodies[1]).toContain(email);
    for (const secret of ['tulip', 'daffodil', 'crocus', url_token])
      expect(bodies.join()).not.toContain(secret);
    expect((await admin.pageClient.get(`/p/${url_token}/audit`)).status).toBe(404);
    const none = await admin.pageClient.post('/admin/accounts/find', { find: 'nobody' });
    expect(none.status).toBe(422);
    expect(none.body).toContain('<a href="/admin/accounts" aria-current="page">Accounts</a>');
    expect(none.body).toContain('Enter the whole email address');
    expect(none.body).not.toContain('role="table"');
    expect((await admin.pageClient.get('/admin/accounts/nobody')).status).toBe(404);
  });

  it('limits the list to administrators, to accounts without a second factor, or to disabled ones', async () => {
    const [member, secured, disabled] = [
      await running.newUser(),
      await running.newUser(),
      await running.newUser(),
    ];
    await running.dataSource.manager.update(User, secured.id, { hasSecondFactor: true });
    await running.dataSource.manager.update(User, disabled.id, { disabledAt: new Date() });
    const shownBy = async (query: string) => {
      const { body } = await admin.pageClient.get(`/admin/accounts${query}`);
      const accounts = Object.entries({ admin, member, secured, disabled });
      return accounts.flatMap(([name, { id }]) => (body.includes(`"/admin/accounts/${id}"`) ? [name] : []));
    };

    expect(await shownBy('?only=administrators')).toEqual(['admin']);
    expect(await shownBy('?only=without_second_factor')).toEqual(['admin', 'member']);
    expect(await shownBy('?only=disabled')).toEqual(['disabled']);
    expect(await shownBy('?only=constructor')).toEqual(['admin', 'member', 'secured', 'disabled']);
    const { body } = await admin.pageClient.get('/admin/accounts?only=disabled&page=3');
    expect(body).toContain('No accounts');
    expect(body).toContain('"/admin/accounts?only=disabled&amp;page=2"');
  });

  it('reads no phrase twice, sees what destroys something, and when an account was last used', async () => {
    const { id } = await running.newUser();
    for (const path of ['/admin/accounts', `/admin/accounts/${id}`, '/admin/webhooks', '/users/edit']) {
      const { body } = await admin.pageClient.get(path);
      const main = /<main.*<\/main>/s.exec(body)?.[0].replace(/<nav.*?<\/nav>/gs, '') ?? '';
      const phrases = [...main.matchAll(/<(?:h\d|summary|button)[^>]*>([^<]+)</g)].map(
        ([, phrase]) => phrase,
      );
      expect([path, phrases]).toEqual([path, [...new Set(phrases)]]);
    }
    const { body } = await admin.pageClient.get(`/admin/accounts/${id}`);
    const dangerous = body.matchAll(/<button class="[^"]*\bdanger\b[^"]*">([^<]+)</g);
    expect([...dangerous].map(([, text]) => text)).toEqual(['Delete permanently']);
    expect((await admin.pageClient.get('/admin/accounts')).body).toMatch(
      new RegExp(`<a href="/admin/accounts/${id}"[^]*?<td[^>]*>Never signed in</td>`),
    );
  });

  it('leaves a line in the log for each act, without links and addresses (H1)', async () => {
    const email = `${randomUUID()}@example.org`;
    const path = passwordPath((await admin.pageClient.post('/admin/accounts', { email })).body);
    const user = await running.dataSource.manager.findOneByOrFail(User, { email });
    await visitor().get(path);
    await act(admin, user.id, 'disable');
    await makeAuthenticationsOld(running, admin);
    await act(admin, user.id, 'promote', 'wrong');
    await act(admin, user.id, 'delete');

    const facts = { by: 'account', actor: admin.id, account: user.id, ip: '127.0.0.1' };
    const logged = events.mock.calls.filter(([message]) => message === 'audit').map(([, what]) => what);
    expect(logged.filter(({ actor }) => actor === admin.id)).toEqual([
      { kind: 'signed_in', ...facts, account: admin.id },
      ...['account_created', 'account_disabled'].map((kind) => ({ kind, ...facts })),
      { kind: 'sign_in_failed', ...facts, account: admin.id },
      { kind: 'account_deleted', ...facts },
    ]);
    expect(JSON.stringify(events.mock.calls)).not.toContain(tokenOf(path));
    expect(JSON.stringify(logged)).not.toContain('@');
  });
});
