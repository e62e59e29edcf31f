import { User } from '../../src/auth/entities/user.entity.js';
import { IdentityRemoval } from '../../src/auth/users/identity-removal.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { AccountAdministration } from '../../src/auth/users/account-administration.js';
import { addApp, freshCode } from '../support/authenticator-app.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import type { Person } from '../support/identity-provider.js';
import { leadsTo, pathBack, signInAtProvider, TestIdentityProvider } from '../support/identity-provider.js';
import { newSignedInUser, PageClient, PASSWORD } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const STEP = '/users/sign_in/second_factor';
const JOIN = '/users/sign_in/join';

describe('A sign-in that waits for its next step', () => {
  const provider = forAllTests(() => TestIdentityProvider.start());
  const running = forAllTests(() =>
    startApp({
      ...provider.env,
      OIDC_SECOND_FACTOR: 'true',
      OIDC_ALLOWED_GROUPS: 'staff',
      PASSWORD_SIGN_IN: 'all',
    }),
  );

  beforeEach(() => (provider.lies = {}));

  const tell = async (claims: Record<string, unknown>) => {
    const token = await provider.logoutToken(claims);
    const body = new URLSearchParams({ logout_token: token });
    const sent = { method: 'POST', body };
    const { status } = await fetch(`${running.url}/users/sign_in/provider/logout`, sent);
    expect(status).toBe(200);
    return async () => fetch(`${running.url}/users/sign_in/provider/logout`, sent);
  };

  /** Somebody from the provider with a second factor, and a browser of theirs that waits to be asked for it. */
  const waitingFor = async (sid?: string) => {
    const person = provider.newPerson({ groups: ['staff'] });
    const first = new PageClient(running.url);
    await signInAtProvider(first);
    const { secret } = await addApp(first);
    const account = await running.dataSource.manager.findOneByOrFail(User, { email: person.email });
    provider.lies = { claims: { sid } };
    const waiting = new PageClient(running.url);
    expect(leadsTo(await signInAtProvider(waiting))).toEqual([303, STEP]);
    const finish = async (browser = waiting) => {
      const code = await freshCode(running, { ...account, pageClient: first }, secret);
      await browser.post(STEP, { code });
      return browser.isSignedIn();
    };
    return { person, account, first, waiting, finish };
  };

  describe('for its second factor', () => {
    it('can be finished', async () => {
      const { finish } = await waitingFor('a');
      expect(await finish()).toBe(true);
    });

    it('can be finished once (N5)', async () => {
      const { waiting, finish } = await waitingFor();
      const stolen = waiting.cookies;
      expect(await finish()).toBe(true);
      expect(await finish(new PageClient(running.url, { Cookie: stolen }))).toBe(false);
    });

    it.each<[string, (person: Person) => Record<string, unknown>]>([
      ['the person', ({ sub }) => ({ sub })],
      ['its session there', () => ({ sid: 'session of it' })],
      ['both', ({ sub }) => ({ sub, sid: 'session of it' })],
    ])('ends when the provider ends %s (N5)', async (_what, claimsOf) => {
      const { person, finish } = await waitingFor('session of it');
      await tell(claimsOf(person));
      expect(await finish()).toBe(false);
    });

    it('ends when the provider ends a session that it had not told', async () => {
      const { person, finish } = await waitingFor();
      await tell({ sub: person.sub, sid: 'told late' });
      expect(await finish()).toBe(false);
    });

    it('stays when the provider ends another session, or another person', async () => {
      const { person, finish } = await waitingFor('this session');
      await tell({ sid: 'another session' });
      await tell({ sub: person.sub, sid: 'another session' });
      await tell({ sub: 'another person' });
      expect(await finish()).toBe(true);
    });

    it('ends when the person is not in an allowed group any more (N5)', async () => {
      const { person, finish } = await waitingFor();
      person.groups = [];
      const refused = await signInAtProvider(new PageClient(running.url));
      expect(leadsTo(refused)[1]).toContain('provider_not_allowed');
      expect(await finish()).toBe(false);
    });

    it.each<[string, (account: User) => Promise<unknown>]>([
      ['signed out everywhere', (account) => running.app.get(SessionsService).endAll(account)],
      [
        'disabled and enabled',
        async (account) => {
          const administration = running.app.get(AccountAdministration);
          await administration.disable(account);
          await administration.enable(account);
        },
      ],
      [
        'given another password',
        (account) => running.app.get(AccountAdministration).setPassword(account, 'nine dark quiet forests'),
      ],
      ['unlinked', (account) => running.app.get(IdentityRemoval).unlink(account)],
    ])('ends when the account is %s (N5)', async (_what, end) => {
      const { account, finish } = await waitingFor();
      await end(account);
      expect(await finish()).toBe(false);
    });

    it('ends when the owner ends all other sessions (N5)', async () => {
      const { first, finish } = await waitingFor();
      expect((await first.post('/users/sessions/end_others')).status).toBe(303);
      expect(await finish()).toBe(false);
    });

    it('ends when this browser signs out', async () => {
      const { waiting } = await waitingFor();
      await waiting.post('/users/sign_out');
      expect(leadsTo(await waiting.get(STEP))[1]).toContain('/users/sign_in');
    });

    it('after the password is finished once, too, and ends with the sessions (N5)', async () => {
      const account = await newSignedInUser(running);
      const { secret } = await addApp(account.pageClient);
      const begin = async () => {
        const browser = new PageClient(running.url);
        const response = await browser.post('/users/sign_in', { email: account.email, password: PASSWORD });
        expect(leadsTo(response)[1]).toContain(STEP);
        return browser;
      };
      const finish = async (browser: PageClient) => {
        await browser.post(STEP, { code: await freshCode(running, account, secret) });
        return browser.isSignedIn();
      };
      const [once, ended] = [await begin(), await begin()];
      const stolen = once.cookies;
      expect(await finish(once)).toBe(true);
      expect(await finish(new PageClient(running.url, { Cookie: stolen }))).toBe(false);
      const user = await running.dataSource.manager.findOneByOrFail(User, { id: account.id });
      await running.app.get(SessionsService).endAll(user);
      expect(await finish(ended)).toBe(false);
    });
  });

  describe('to join an account', () => {
    const waiting = async (sid?: string) => {
      const account = await newSignedInUser(running);
      const person = provider.newPerson({ email: account.email, groups: ['staff'] });
      provider.lies = { claims: { sid } };
      const browser = new PageClient(running.url);
      expect(leadsTo(await signInAtProvider(browser))).toEqual([303, JOIN]);
      const finish = async (from = browser) => {
        await from.post(JOIN, { password: PASSWORD });
        return from.isSignedIn();
      };
      return { account, person, browser, finish };
    };

    it('can be finished for a day, as the mail says', async () => {
      const { browser, finish } = await waiting('b');
      const begun = await browser.get('/users/sign_in/provider');
      const response = await browser.get(await pathBack(begun));
      const cookie = response.headers.getSetCookie().find((it) => it.includes('sealpush-join'));
      expect(cookie).toContain('Max-Age=86400');
      expect(await finish()).toBe(true);
    });

    it('can be finished once, however many forms are sent at once (N5)', async () => {
      const { account, browser } = await waiting();
      const { cookies } = browser;
      const browsers = await allAtOnce(3, async () => {
        const copy = new PageClient(running.url, { Cookie: cookies });
        await copy.post(JOIN, { password: PASSWORD });
        return copy;
      });
      const signedIn = await Promise.all(browsers.map((it) => it.isSignedIn()));
      expect(signedIn.filter(Boolean)).toHaveLength(1);
      await running.app
        .get(IdentityRemoval)
        .unlink(await running.dataSource.manager.findOneByOrFail(User, { id: account.id }));
      const again = new PageClient(running.url, { Cookie: cookies });
      await again.post(JOIN, { password: PASSWORD });
      expect(await again.isSignedIn()).toBe(false);
    });

    it.each<[string, (person: Person) => Record<string, unknown>]>([
      ['the person', ({ sub }) => ({ sub })],
      ['its session there', () => ({ sid: 'session to join' })],
    ])('ends when the provider ends %s (N5)', async (_what, claimsOf) => {
      const { person, finish } = await waiting('session to join');
      await tell(claimsOf(person));
      expect(await finish()).toBe(false);
    });

    it('ends when the person is not in an allowed group any more (N5)', async () => {
      const { person, finish } = await waiting();
      person.groups = [];
      await signInAtProvider(new PageClient(running.url));
      expect(await finish()).toBe(false);
    });

    it('ends when the account is signed out everywhere (N5)', async () => {
      const { account, finish } = await waiting();
      const user = await running.dataSource.manager.findOneByOrFail(User, { id: account.id });
      await running.app.get(SessionsService).endAll(user);
      expect(await finish()).toBe(false);
    });
  });

  it('is not ended by a logout token that is used once more', async () => {
    const { person, finish } = await waitingFor('told once');
    const again = await tell({ sub: 'somebody else', sid: 'told once' });
    expect(await finish()).toBe(false);
    provider.person = person;
    const next = new PageClient(running.url);
    expect(leadsTo(await signInAtProvider(next))).toEqual([303, STEP]);
    expect((await again()).status).toBe(200);
    expect(await finish(next)).toBe(true);
  });
});
