import { Session } from '../../auth/entities/session.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import {
  leadsTo,
  pathBack,
  signInAtProvider,
  TestIdentityProvider,
} from '../../../test/support/identity-provider.js';
import { makeInstance } from '../../../test/support/instance.js';
import { newSignedInUser, PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

describe('Signing out', () => {
  const provider = forAllTests(() => TestIdentityProvider.start());
  const running = forAllTests(() => startApp(provider.env));

  const signedIn = async (session?: string) => {
    provider.lies = { claims: { sid: session } };
    const pageClient = new PageClient(running.url);
    await signInAtProvider(pageClient);
    expect(await pageClient.isSignedIn()).toBe(true);
    return pageClient;
  };
  /** As the provider sends it: with neither cookies nor what browsers send. */
  const tell = async (token: string) => {
    const response = await fetch(`${running.url}/users/sign_in/provider/logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    return response.status;
  };
  /** Sessions begin at least as long before as clocks may differ. */
  const makeOld = async () => {
    const createdAt = new Date(Date.now() - 3_600_000);
    await running.dataSource.manager.createQueryBuilder().update(Session).set({ createdAt }).execute();
  };

  describe('at the provider', () => {
    it('ends all sessions of the subject that began there, and no others', async () => {
      const { sub, email } = provider.newPerson();
      const [first, second] = [await signedIn('one'), await signedIn()];
      provider.newPerson();
      const other = await signedIn('one');
      const { pageClient: withPassword } = await newSignedInUser(running);
      await makeOld();
      expect(await tell(await provider.logoutToken({ sub }))).toBe(200);

      const signed = [first, second, other, withPassword].map((pageClient) => pageClient.isSignedIn());
      expect(await Promise.all(signed)).toEqual([false, false, true, true]);
      expect(await running.dataSource.manager.existsBy(User, { email })).toBe(true);
    });

    it('ends the session also after its password was changed', async () => {
      const { sub } = provider.newPerson();
      const pageClient = await signedIn('one');
      const password = 'nine dark quiet forests';
      expect((await pageClient.post('/users/edit/password', { new_password: password })).status).toBe(303);
      await makeOld();
      expect(await tell(await provider.logoutToken({ sub, sid: 'one' }))).toBe(200);
      expect(await pageClient.isSignedIn()).toBe(false);
    });

    it('ends the sessions that began with one of its own', async () => {
      const { sub } = provider.newPerson();
      const [first, second] = [await signedIn('session 1'), await signedIn('session 2')];
      await makeOld();
      expect(await tell(await provider.logoutToken({ sid: 'session 1' }))).toBe(200);
      expect([await first.isSignedIn(), await second.isSignedIn()]).toEqual([false, true]);
      expect(await tell(await provider.logoutToken({ sub, sid: 'session 2' }))).toBe(200);
      expect(await second.isSignedIn()).toBe(false);
    });

    it('ends nothing when the same is told again after a new sign-in', async () => {
      const { sub } = provider.newPerson();
      const before = await signedIn();
      await makeOld();
      const iat = Math.floor(Date.now() / 1000) - 400; // longer ago than clocks may differ
      const token = await provider.logoutToken({ sub, iat });
      expect(await tell(token)).toBe(200);
      expect(await before.isSignedIn()).toBe(false);
      const after = await signedIn();
      expect(await tell(token)).toBe(200);
      expect(await after.isSignedIn()).toBe(true);
    });

    it('ends a session that began with a new key, although the old one was fetched just before', async () => {
      const { sub } = provider.newPerson();
      expect(await tell(await provider.logoutToken({ sub }))).toBe(200);
      await provider.rotateKey();
      const pageClient = await signedIn('new key');
      expect(await tell(await provider.logoutToken({ sub, sid: 'new key' }))).toBe(200);
      expect(await pageClient.isSignedIn()).toBe(false);
    });

    it('is told about people who have no account here', async () => {
      expect(await tell(await provider.logoutToken({ sub: 'nobody' }))).toBe(200);
      expect(await tell(await provider.logoutToken({ sid: 'none' }))).toBe(200);
    });

    it('is not told by what is no valid token (section 2.6)', async () => {
      const { sub } = provider.newPerson();
      const pageClient = await signedIn('kept');
      await makeOld();
      const now = Math.floor(Date.now() / 1000);
      const invalid = await Promise.all([
        provider.logoutToken({ sub, iss: 'https://evil.example' }),
        provider.logoutToken({ sub, aud: 'another client' }),
        provider.logoutToken({ sub, iat: now - 3600, exp: now + 3600 }),
        provider.logoutToken({ sub, exp: now - 3600 }),
        provider.logoutToken({ sub, iat: undefined }),
        provider.logoutToken({ sub, nonce: 'that of an ID token' }),
        provider.logoutToken({ sub, events: {} }),
        provider.logoutToken({ sub, events: undefined }),
        provider.logoutToken({}),
        provider.sign({ iss: provider.issuer, aud: 'sealpush', iat: now, exp: now + 60, sub }),
      ]);
      const header = Buffer.from('{"alg":"none"}').toString('base64url');
      const [, claims = ''] = (await provider.logoutToken({ sub })).split('.');
      const signedByNobody = `${header}.${claims}.`;
      const [signedPart = ''] = (await provider.logoutToken({ sub })).split(/\.(?=[^.]*$)/);
      for (const token of [...invalid, signedByNobody, `${signedPart}.AAAA`, 'x', '', 'a.b.c'])
        expect(await tell(token)).toBe(400);
      expect(await pageClient.isSignedIn()).toBe(true);
    });

    it('does not make the provider send its keys for each token of a stranger', async () => {
      provider.requests.length = 0;
      const { sub } = provider.newPerson();
      await provider.rotateKey(); // its tokens name a key that we do not have
      for (let tokens = 0; tokens < 5; tokens += 1) await tell(await provider.logoutToken({ sub }));
      expect(provider.requests.filter((path) => path === '/keys').length).toBeLessThanOrEqual(1);
    });
  });

  describe('here', () => {
    it('offers to sign out there, too, and comes back', async () => {
      provider.newPerson();
      const pageClient = await signedIn();
      const response = await pageClient.post('/users/sign_out');
      const { body } = await pageClient.get(leadsTo(response)[1] ?? '');
      expect(body).toContain('href="/users/sign_out/provider"');

      const { headers, status } = await pageClient.get('/users/sign_out/provider');
      const url = new URL(headers.get('location') ?? '');
      expect([status, url.origin + url.pathname]).toEqual([303, `${provider.issuer}/end`]);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: 'sealpush',
        id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
        post_logout_redirect_uri: 'http://sealpush.example/users/sign_in',
      });
    });

    it('names the session there once, by the ID token that only the browser keeps, sealed', async () => {
      provider.newPerson();
      let sent = '';
      provider.lies = { token: async (claims) => (sent = await provider.sign(claims)) };
      const pageClient = new PageClient(running.url);
      const response = await signInAtProvider(pageClient);
      const cookie = response.headers.getSetCookie().find((it) => it.startsWith('sealpush-sign-out=')) ?? '';
      expect(cookie).toContain('Path=/users/sign_out/provider; HttpOnly; SameSite=Lax');
      expect(cookie).not.toContain(sent.split('.')[1]);
      expect(cookie.length).toBeLessThan(4096);

      const hints = [];
      for (let times = 0; times < 2; times += 1) {
        const { headers } = await pageClient.get('/users/sign_out/provider');
        hints.push(new URL(headers.get('location') ?? '').searchParams.get('id_token_hint'));
      }
      expect(hints).toEqual([sent, null]);
    });

    it('keeps no ID token that is too long for a cookie, nor the one before', async () => {
      provider.newPerson();
      const pageClient = await signedIn();
      await pageClient.post('/users/sign_out');
      provider.lies = {
        claims: { groups: Array.from({ length: 200 }, (_, index) => `group ${index} of many`) },
      };
      await signInAtProvider(pageClient);
      expect(await pageClient.isSignedIn()).toBe(true);
      expect(pageClient.cookies).not.toContain('sealpush-sign-out');
    });

    it.each(['', 'x', '0.0', 'a'.repeat(3000)])('takes no hint that it has not sealed: %#', async (value) => {
      const pageClient = new PageClient(running.url, { Cookie: `sealpush-sign-out=${value}` });
      const { headers } = await pageClient.get('/users/sign_out/provider');
      expect(new URL(headers.get('location') ?? '').searchParams.has('id_token_hint')).toBe(false);
    });

    it('offers nothing that another site could use', async () => {
      const pageClient = new PageClient(running.url, { 'Sec-Fetch-Site': 'cross-site' });
      expect(leadsTo(await pageClient.get('/users/sign_out/provider'))).toEqual([303, '/users/sign_in']);
    });
  });
});

describe('Two processes', () => {
  it('serve one sign-in together, below a path', async () => {
    const provider = await forThisTest(TestIdentityProvider.start());
    const instance = await forThisTest(makeInstance());
    const env = { ...provider.env, PUBLIC_URL: 'http://sealpush.example/secrets' };
    const [first, second] = [
      await forThisTest(startApp(env, { instance })),
      await forThisTest(startApp(env, { instance })),
    ];
    provider.newPerson();
    const pageClient = new PageClient(first.url);
    const begun = await pageClient.get('/users/sign_in/provider');
    const back = (await pathBack(begun)).replace('/secrets', '');
    const other = new PageClient(second.url, { Cookie: pageClient.cookies });

    expect(leadsTo(await other.get(back))).toEqual([303, '/secrets/pushes']);
    expect(await new PageClient(first.url, { Cookie: other.cookies }).isSignedIn()).toBe(true);
  });
});
