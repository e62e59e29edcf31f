import { randomUUID } from 'node:crypto';
import { ReauthenticationService } from '../../src/auth/second-factor/reauthentication.service.js';
import { makeAuthenticationsOld } from '../support/authenticator-app.js';
import { newAdministrator } from '../support/administrator.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { PageClient, PASSWORD } from '../support/page-client.js';
import { routesOf } from '../support/routes.js';
import { startApp } from '../support/start-app.js';

/** Forms of accounts and administrators that need no reauthentication, and why. */
const WITHOUT_PROOF = {
  '/users/edit/verification': 'mails a link to the own address',
  '/users/email/:token': 'has the link of a mail',
  '/users/notices': 'changes nothing about who has access',
  '/users/password': 'signed out',
  '/users/password/:token': 'has the link of a mail',
  '/users/sessions/:id/end': 'takes access away',
  '/users/sessions/end_others': 'takes access away',
  '/users/mail_sent': 'changes nothing',
  '/users/sign_in': 'signed out',
  '/users/sign_in/join': 'signed out',
  '/users/sign_in/join/:token': 'has the link of a mail',
  '/users/sign_in/join/mail': 'signed out',
  '/users/sign_in/passkey': 'signed out',
  '/users/sign_in/provider/logout': 'is sent by the provider',
  '/users/sign_in/second_factor': 'signed out',
  '/users/sign_in_first': 'signed out',
  '/users/sign_out': 'takes access away',
  '/users/sign_out_everywhere': 'takes access away',
  '/users/sign_up': 'signed out',
  '/users/sign_up_link': 'signed out',
  '/users/sign_up_link/:token': 'has the link of a mail',
  '/users/token/:id/revoke': 'takes access away',
  '/admin/accounts/find': 'changes nothing',
  '/admin/first_steps/backup': 'changes nothing about who has access',
  '/admin/first_steps/hide': 'changes nothing about who has access',
  '/admin/first_steps/mail': 'mails to the own address',
};

/** Forms that need the password however recent the last reauthentication is: nobody can undo them, or they take the account over. */
const ALWAYS_PASSWORD = [
  '/admin/accounts/:id/delete',
  '/users/edit/delete',
  '/users/edit/email',
  '/users/edit/password',
];

/** Some of the forms exist only with mail. */
const MAIL = {
  MAIL_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'sealpush@example.org',
  PUBLIC_URL: 'https://push.example.org',
};

const NEEDED = 'Show once more that it is you';

describe('Forms that change accounts or the instance', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1', ...MAIL }));
  const admin = forEachTest(() => newAdministrator(running));
  let addresses = 0;

  afterEach(() => jest.restoreAllMocks());

  const pathsOfForms = () =>
    routesOf(running.app)
      .filter(({ method, path }) => method === 'POST' && /^\/(users|admin)(\/|$)/.test(path))
      .map(({ path }) => path)
      .sort();
  const withIds = (path: string) => path.replace(':id', randomUUID());
  /** Each from an address of its own, because wrong passwords are counted by it. */
  const post = (path: string, fields: Record<string, string> = {}) =>
    admin.pageClient.post(withIds(path), fields, { 'X-Forwarded-For': `198.51.100.${++addresses}` });

  /** The forms that ask for reauthentication, with whether it is refused and whether the password is asked for in any case. */
  async function askingForms() {
    const check = jest.spyOn(running.app.get(ReauthenticationService), 'check');
    const asking: { path: string; isRefused: boolean; isAlwaysPassword: boolean }[] = [];
    for (const path of pathsOfForms().filter((form) => !(form in WITHOUT_PROOF))) {
      check.mockClear();
      await post(path);
      const [result] = check.mock.results;
      const isRefused = await Promise.resolve(result?.value).then(
        () => false,
        () => true,
      );
      asking.push({
        path,
        isRefused: result !== undefined && isRefused,
        isAlwaysPassword: check.mock.calls[0]?.[2] ?? false,
      });
    }
    return asking;
  }

  it('need reauthentication, unless a list says why not', async () => {
    await makeAuthenticationsOld(running, admin);
    const forms = await askingForms();

    expect(forms.filter(({ isRefused }) => !isRefused)).toEqual([]);
    expect(forms.length).toBeGreaterThan(25);
    expect(Object.keys(WITHOUT_PROOF).filter((path) => !pathsOfForms().includes(path))).toEqual([]);
  });

  it('need none again for ten minutes, but those that cannot be undone or take the account over', async () => {
    const forms = await askingForms();

    expect(forms.filter(({ isRefused }) => isRefused).map(({ path }) => path)).toEqual(ALWAYS_PASSWORD);
    const always = forms.filter(({ isAlwaysPassword }) => isAlwaysPassword).map(({ path }) => path);
    expect(always).toEqual(ALWAYS_PASSWORD);
  });

  it('accept a reauthentication in the session that has given it and in no other one (C5)', async () => {
    const elsewhere = new PageClient(running.url);
    await elsewhere.signIn(admin.email);
    await makeAuthenticationsOld(running, admin);
    const invite = (email: string) => ({ email: `${email}-${randomUUID()}@example.org` });
    const given = { ...invite('first'), password: PASSWORD };
    expect((await admin.pageClient.post('/admin/accounts', given)).status).toBe(303);

    expect((await admin.pageClient.post('/admin/accounts', invite('second'))).status).toBe(303);
    const { status, body } = await elsewhere.post('/admin/accounts', invite('third'));
    expect(status).toBe(422);
    expect(body).toContain(NEEDED);
  });

  it('ask again in the session that begins with another sign-in after signing out', async () => {
    const cookies = admin.pageClient.cookies;
    await admin.pageClient.post('/users/sign_out', {});
    const thief = new PageClient(running.url, { Cookie: cookies });

    const { status, headers } = await thief.post('/admin/accounts', { email: 'x@example.org' });
    expect(status).toBe(303);
    expect(headers.get('location')).toContain('/users/sign_in');
  });

  it('show its fields only when they are needed', async () => {
    const paths = [
      '/admin/accounts?invite',
      '/admin/groups',
      '/admin/webhooks',
      '/users/webhooks',
      '/users/token',
    ];
    for (const path of paths)
      expect([path, (await admin.pageClient.get(path)).body.includes('type="password"')]).toEqual([
        path,
        false,
      ]);
    await makeAuthenticationsOld(running, admin);
    for (const path of paths)
      expect([path, (await admin.pageClient.get(path)).body.includes('type="password"')]).toEqual([
        path,
        true,
      ]);
  });
});
