import { randomUUID } from 'node:crypto';
import { Identity } from '../../auth/entities/identity.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { UsersService } from '../../auth/users/users.service.js';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { MINUTE_MS } from '../../platform/settings/units.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { eventually } from '../../../test/support/eventually.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import {
  leadsTo,
  pathBack,
  signInAtProvider,
  TestIdentityProvider,
} from '../../../test/support/identity-provider.js';
import { newSignedInUser, PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const START = '/users/sign_in/provider';
const CALLBACK = '/users/sign_in/provider/callback';

describe('Signing in at a provider of OpenID Connect', () => {
  const provider = forAllTests(() => TestIdentityProvider.start());
  const running = forAllTests(() => startApp(provider.env));

  const browser = () => new PageClient(running.url);
  const accountOf = (email: string) => running.dataSource.manager.findOneBy(User, { email });

  describe('whose person', () => {
    it('has no account yet creates one, which belongs to the subject from then on', async () => {
      const { email } = provider.newPerson();
      const pageClient = browser();

      expect(leadsTo(await signInAtProvider(pageClient))).toEqual([303, '/pushes']);
      expect((await pageClient.get('/users/edit')).body).toContain(email);
      expect(await pageClient.isSignedIn()).toBe(true);

      const again = browser();
      await signInAtProvider(again);
      expect(await again.isSignedIn()).toBe(true);
      const account = await accountOf(email);
      expect(account).toMatchObject({ passwordHash: null, emailUnverified: false });
      const identities = running.dataSource.manager;
      expect(await identities.countBy(Identity, { userId: account?.id ?? '' })).toBe(1);
      const kinds = await identities.findBy(InstanceAuditEntry, { subjectId: account?.id ?? '' });
      expect(kinds.map(({ kind }) => kind)).toEqual([
        'account_created',
        'identity_joined',
        'signed_in',
        'signed_in',
      ]);
    });

    it('signs in for the first time in five browsers at once has one account', async () => {
      const { email } = provider.newPerson();
      const browsers = Array.from({ length: 5 }, browser);
      const paths = await Promise.all(
        browsers.map(async (pageClient) => pathBack(await pageClient.get(START))),
      );
      await allAtOnce(5, async (index) => browsers[index]?.get(paths[index] ?? ''));

      for (const pageClient of browsers) expect(await pageClient.isSignedIn()).toBe(true);
      expect(await running.dataSource.manager.countBy(Identity, { email })).toBe(1);
    });

    it('comes back to the page that asked for it, and to no other site (E3)', async () => {
      provider.newPerson();
      expect(leadsTo(await signInAtProvider(browser(), '/users/token'))).toEqual([303, '/users/token']);
      for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:1'])
        expect(leadsTo(await signInAtProvider(browser(), next))).toEqual([303, '/pushes']);
    });

    it('is signed in already does not go there', async () => {
      const { pageClient } = await newSignedInUser(running);
      expect(leadsTo(await pageClient.get(`${START}?next=/users/edit`))).toEqual([303, '/users/edit']);
    });

    it('uses two tabs can finish both, in any order', async () => {
      provider.newPerson();
      const pageClient = browser();
      const [first, second] = [
        await pageClient.get(START),
        await pageClient.get(`${START}?next=/users/edit`),
      ];
      expect(leadsTo(await pageClient.get(await pathBack(second)))).toEqual([303, '/users/edit']);
      expect(leadsTo(await pageClient.get(await pathBack(first)))).toEqual([303, '/pushes']);
    });

    it('opens many tabs can finish the last one', async () => {
      provider.newPerson();
      const pageClient = browser();
      const begun = [];
      for (let tabs = 0; tabs < 9; tabs += 1) begun.push(await pageClient.get(START));
      expect(pageClient.cookies.match(/sealpush-provider-\d/g)).toHaveLength(4);
      const last = await pathBack(begun.at(-1) ?? (await pageClient.get(START)));
      expect(leadsTo(await pageClient.get(last))).toEqual([303, '/pushes']);
    });

    it('goes back to the last step, or reloads it, stays signed in', async () => {
      provider.newPerson();
      const pageClient = browser();
      const path = await pathBack(await pageClient.get(START));
      await pageClient.get(path);
      expect(leadsTo(await pageClient.get(path))).toEqual([303, '/pushes']);
      expect(await pageClient.isSignedIn()).toBe(true);
    });

    it('has another email address there keeps the account, which follows', async () => {
      const person = provider.newPerson();
      await signInAtProvider(browser());
      const account = await accountOf(person.email);
      person.email = `new-${person.email}`;
      const pageClient = browser();
      await signInAtProvider(pageClient);

      expect((await pageClient.get('/users/edit')).body).toContain(person.email);
      expect((await accountOf(person.email))?.id).toBe(account?.id);
    });

    it('has the email address of another account there keeps the own one (C1)', async () => {
      const person = provider.newPerson();
      const { email } = person;
      await signInAtProvider(browser());
      const holder = await newSignedInUser(running);
      person.email = holder.email;
      const shown = async () => {
        const pageClient = browser();
        await signInAtProvider(pageClient);
        return (await pageClient.get('/users/edit')).body;
      };
      expect(await shown()).toContain(email);
      await running.app
        .get(UsersService)
        .changeEmail((await accountOf(holder.email)) as User, `x-${holder.email}`);
      expect(await shown()).toContain(holder.email); // as soon as it is free
    });

    it('has changed the email address here keeps that', async () => {
      const { email } = provider.newPerson();
      await signInAtProvider(browser());
      const account = await accountOf(email);
      const chosen = `${randomUUID()}@example.org`;
      await running.app.get(UsersService).changeEmail(account as User, chosen);
      await signInAtProvider(browser());

      expect((await accountOf(chosen))?.id).toBe(account?.id);
    });

    it('has a disabled account is told so, and not signed in (D3)', async () => {
      const { email } = provider.newPerson();
      await signInAtProvider(browser());
      await running.app.get(AccountAdministration).disable((await accountOf(email)) as User);
      const pageClient = browser();
      const response = await signInAtProvider(pageClient);

      expect(leadsTo(response)).toEqual([303, '/users/sign_in?failed=provider_account_disabled']);
      const { body } = await pageClient.get('/users/sign_in?failed=provider_account_disabled');
      expect(body).toContain('Your account here is disabled.');
      expect(await pageClient.isSignedIn()).toBe(false);
    });

    it.each([
      ['says nothing about it', { email_verified: undefined }],
      ['says that it is not', { email_verified: false }],
      ['gives none', { email: undefined as unknown as string }],
      ['gives no valid one', { email: 'nobody' }],
    ])(
      'has an email address that is not verified is refused: the provider %s (C1, C9)',
      async (_, claims) => {
        const { email } = await newSignedInUser(running);
        provider.newPerson({ email, ...claims });
        const pageClient = browser();

        expect(leadsTo(await signInAtProvider(pageClient))).toEqual([
          303,
          '/users/sign_in?failed=provider_email_unverified',
        ]);
        expect(await pageClient.isSignedIn()).toBe(false);
      },
    );

    it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
      ['only of another one', { email_verified: undefined }, { email: 'other@example.org' }],
      ['of none', { email_verified: undefined }, { email: undefined }],
      ['and says no in the other', { email: undefined, email_verified: false }, {}],
      ['and says no with the other claim', { xms_edov: true, email_verified: false }, {}],
      ['and says no with the claim of Microsoft', { xms_edov: false, email_verified: true }, {}],
    ])(
      'has an email address in one object, and that it is verified in another is refused: %s (N7)',
      async (_, claims, userinfo) => {
        const { email } = await newSignedInUser(running);
        provider.newPerson({ email });
        provider.lies = { claims: { email, ...claims }, userinfo };
        const pageClient = browser();
        const path = leadsTo(await signInAtProvider(pageClient))[1];
        if (userinfo.email === undefined)
          expect(path).toBe('/users/sign_in?failed=provider_email_unverified');
        else expect((await pageClient.get('/users/edit')).body).toContain('other@example.org');
      },
    );

    it.each(['x%evil.example@example.org', '\u0430dmin@example.org', 'ad\u200bmin@example.org'])(
      'gets no account, and no address later, that looks like another one: %s (N12)',
      async (odd) => {
        const person = provider.newPerson({ email: odd });
        const pageClient = browser();
        expect(leadsTo(await signInAtProvider(pageClient))[1]).toContain('provider_email_unverified');

        person.email = `${randomUUID()}@example.org`;
        await signInAtProvider(pageClient);
        const { email } = person;
        person.email = odd;
        const next = browser();
        await signInAtProvider(next);
        expect((await next.get('/users/edit')).body).toContain(email);
      },
    );

    it('is known to the provider of Microsoft by another claim', async () => {
      provider.newPerson({ email_verified: undefined, xms_edov: '1' });
      const pageClient = browser();
      await signInAtProvider(pageClient);
      expect(await pageClient.isSignedIn()).toBe(true);
    });

    it('is only described by the userinfo endpoint', async () => {
      const { email } = provider.newPerson();
      provider.lies = { claims: { email: undefined, email_verified: undefined } };
      const pageClient = browser();
      await signInAtProvider(pageClient);
      expect((await pageClient.get('/users/edit')).body).toContain(email);
    });
  });

  describe('is refused', () => {
    it('with a state of another browser, none, or one that was used (C4)', async () => {
      const { email } = provider.newPerson();
      const path = await pathBack(await browser().get(START));
      const victim = browser();
      await victim.get(START);
      const state = new URLSearchParams(path.split('?')[1]).get('state') ?? '';
      for (const callback of [path, CALLBACK, `${CALLBACK}?code=1&state=0.x`, `${CALLBACK}?state[]=${state}`])
        expect(leadsTo(await victim.get(callback))).toEqual([
          303,
          '/users/sign_in?failed=provider_sign_in_ended',
        ]);
      expect(await victim.isSignedIn()).toBe(false);
      expect(await accountOf(email)).toBeNull();
    });

    it('with a code that was used, although the browser has kept its cookie', async () => {
      provider.newPerson();
      const pageClient = browser();
      const path = await pathBack(await pageClient.get(START));
      const { cookies } = pageClient;
      await pageClient.get(path);
      const thief = new PageClient(running.url, { Cookie: cookies });

      provider.requests.length = 0;
      expect(leadsTo(await thief.get(path))).toEqual([303, '/users/sign_in?failed=provider_sign_in_ended']);
      expect(provider.requests).toEqual([]);
    });

    it('with the connection cut on the way back, and works when it begins again', async () => {
      provider.newPerson();
      const pageClient = browser();
      const path = await pathBack(await pageClient.get(START));
      await eventually(async () => {
        const cut = AbortSignal.timeout(5);
        const headers = { Cookie: pageClient.cookies };
        await fetch(running.url + path, { headers, redirect: 'manual', signal: cut }).catch(() => undefined);
        return cut.aborted;
      });
      expect(leadsTo(await pageClient.get(path))[1]).toMatch(/^\/users\/sign_in\?failed=|^\/pushes$/);
      if (!(await pageClient.isSignedIn())) await signInAtProvider(pageClient);
      expect(await pageClient.isSignedIn()).toBe(true);
    });

    it('after ten minutes', async () => {
      const pageClient = browser();
      const begun = await pageClient.get(START);
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
      const request = { headers: { cookie: pageClient.cookies }, protocol: 'http' } as never;
      const response = { append: () => undefined } as never;
      const taken = (minutes: number) =>
        running.app
          .get(AuthorizationRequests)
          .take(state, request, response, new Date(Date.now() + minutes * MINUTE_MS));

      expect(taken(9)).toMatchObject({ purpose: 'sign_in' });
      expect(taken(10)).toBeUndefined();
    });

    it('when another site begins it (C4)', async () => {
      const client = new PageClient(running.url, { 'Sec-Fetch-Site': 'cross-site' });
      expect(leadsTo(await client.get(`${START}?next=/users/edit`))).toEqual([
        303,
        '/users/sign_in?next=%2Fusers%2Fedit',
      ]);
      expect(client.cookies).toBe('');
    });
  });

  it('takes the place of somebody else who is signed in, and is recorded as itself', async () => {
    const { pageClient, email: before } = await newSignedInUser(running);
    await pageClient.post('/users/sign_out');
    const path = await (async () => {
      provider.newPerson();
      return pathBack(await pageClient.get(START));
    })();
    await pageClient.signIn(before); // in another tab
    await pageClient.get(path);
    const { email } = provider.person;
    expect((await pageClient.get('/users/edit')).body).toContain(email);
    const { id } = (await accountOf(email)) as User;
    const entries = await running.dataSource.manager.findBy(InstanceAuditEntry, { subjectId: id });
    expect(entries.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['account_created', 'Example Login'],
      ['identity_joined', email],
      ['signed_in', email],
    ]);
  });

  it('says what failed also in a browser that is signed in', async () => {
    const { pageClient, email } = await newSignedInUser(running);
    await pageClient.post('/users/sign_out');
    provider.newPerson({ email_verified: false });
    const path = await pathBack(await pageClient.get(START));
    await pageClient.signIn(email);
    const { status, body } = await pageClient.get(path);
    expect([status, body.includes('does not say that your email address is verified')]).toEqual([403, true]);
  });

  it('goes on when the provider has new keys', async () => {
    const { email } = provider.newPerson();
    await signInAtProvider(browser());
    await provider.rotateKey();
    const pageClient = browser();
    await signInAtProvider(pageClient);

    expect((await pageClient.get('/users/edit')).body).toContain(email);
  });

  it('keeps secrets out of what the browser sees and the database has', async () => {
    provider.newPerson();
    const pageClient = browser();
    const begun = await pageClient.get(START);
    const url = new URL(begun.headers.get('location') ?? '');

    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.get('redirect_uri')).toBe(`http://sealpush.example${CALLBACK}`);
    expect(url.href).not.toContain('rivers');
    const seen = pageClient.cookies + begun.body;
    for (const name of ['state', 'nonce']) expect(seen).not.toContain(url.searchParams.get(name));
    const cookies = begun.headers.getSetCookie();
    expect(cookies.every((cookie) => /HttpOnly/i.test(cookie) && /SameSite=Lax/i.test(cookie))).toBe(true);
  });
});
