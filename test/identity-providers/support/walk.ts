import type { ClientAuthMethod } from '../../../src/features/oidc/oidc.settings.js';
import { PASSWORD } from '../../support/page-client.js';
import type { Page } from './browser.js';
import type { Installation } from './installation.js';

/**
 * What must work with every provider.
 * @param authentications by which it takes a client whose id and secret have every character that can be printed
 */
export function testTheWalk(of: () => Installation, authentications: ClientAuthMethod[]): void {
  it('signs in a new person with a new account, and the same person with the same account', async () => {
    const installation = of();
    const person = await installation.newPerson();
    const first = await installation.signIn(person);
    expect(first.page).toMatchObject({ url: `${installation.url}/pushes`, status: 200 });
    const again = await installation.signIn(person);
    const { body } = await again.browser.visit(`${installation.url}/users/edit`);
    expect(body.includes(person.email)).toBe(true);
    expect(await installation.accountsOf(person)).toHaveLength(1);
  });

  it('joins an account that has the email address, once its owner has given its password', async () => {
    const installation = of();
    const person = await installation.newPerson();
    await installation.createAccount(person);
    const { browser, page } = await installation.signIn(person);
    expect(page.url).toContain('/users/sign_in/join');
    expect(await installation.isSignedIn(browser)).toBe(false);

    await browser.submit(page, { password: PASSWORD });
    expect(await installation.isSignedIn(browser)).toBe(true);
    expect(await installation.isSignedIn((await installation.signIn(person)).browser)).toBe(true);
    expect(await installation.accountsOf(person)).toHaveLength(1);
  });

  it.each([[['staff']], [['staff', 'others']], [['others', 'staff', 'admins']]])(
    'lets in members of an allowed group: %j',
    async (groups) => {
      const installation = of();
      const { browser } = await installation.signIn(await installation.newPerson(groups));
      expect(await installation.isSignedIn(browser)).toBe(true);
      expect(await installation.isAdministrator(browser)).toBe(groups.includes('admins'));
    },
  );

  it.each([[[]], [['others']], [['admins']], [['Staff', 'staff2']]])(
    'lets in nobody else: %j',
    async (groups) => {
      const installation = of();
      const person = await installation.newPerson(groups);
      const { browser, page } = await installation.signIn(person);
      expect(alertIn(page)).toContain('You may not use this site with that account');
      expect(await installation.isSignedIn(browser)).toBe(false);
      expect(await installation.accountsOf(person)).toEqual([]);
      const reason = groups.length === 0 ? 'groups_missing' : 'group_not_allowed';
      await installation.expectRefusal(reason);
    },
  );

  it('takes rights and sessions away from who has been removed from a group', async () => {
    const installation = of();
    await installation.signIn(await installation.newPerson(['staff', 'admins'])); // the last one would stay one
    const person = await installation.newPerson(['staff', 'admins']);
    const { browser } = await installation.signIn(person);
    expect(await installation.isAdministrator(browser)).toBe(true);

    await installation.provider.add({ ...person, groups: ['staff'] });
    const later = await installation.signIn(person);
    expect(await installation.isSignedIn(later.browser)).toBe(true);
    expect(await installation.isAdministrator(later.browser)).toBe(false);

    await installation.provider.add({ ...person, groups: [] });
    const { page } = await installation.signIn(person);
    expect(alertIn(page)).toContain('You may not use this site with that account');
    expect(await installation.isSignedIn(browser)).toBe(false);
    expect(await installation.isSignedIn(later.browser)).toBe(false);
  });

  it('signs out here and at the provider, whose page leads back', async () => {
    const installation = of();
    const person = await installation.newPerson();
    const { browser } = await installation.signIn(person);
    const signIn = `${installation.url}/users/sign_in`;
    expect((await browser.visit(`${signIn}/provider`)).url).toBe(`${installation.url}/pushes`);

    const signedOut = await browser.post(`${installation.url}/users/sign_out`, {});
    const link = /href="([^"]*sign_out\/provider[^"]*)"/.exec(signedOut.body)?.[1] ?? '';
    const atProvider = await browser.visit(new URL(link, signedOut.url).href);
    expect(atProvider.status).toBe(200);
    expect(new URL(atProvider.url).origin).toBe(new URL(installation.provider.issuer).origin);
    const back = await installation.provider.agreeToSignOut(browser, atProvider);
    expect(new URL(back.url).href.replace(/\?.*/, '')).toBe(signIn);
    expect(back.body.includes('<h1>Sign in</h1>')).toBe(true);

    const asked = await browser.visit(`${signIn}/provider`);
    expect(new URL(asked.url).origin).toBe(new URL(installation.provider.issuer).origin); // asks who it is
    expect(await installation.isSignedIn(browser)).toBe(false);
  });

  it('signs in with a new key of the provider at once', async () => {
    const installation = of();
    const person = await installation.newPerson();
    expect(await installation.isSignedIn((await installation.signIn(person)).browser)).toBe(true);
    await installation.provider.rotateKeys();
    expect(await installation.isSignedIn((await installation.signIn(person)).browser)).toBe(true);
  });

  it.each(['+3m', '-3m'])('signs in at a provider whose clock is wrong by %s', async (clock) => {
    const installation = of();
    const person = await installation.newPerson();
    await installation.provider.restart(clock);
    const { browser, page } = await installation.signIn(person);
    await installation.provider.restart();
    expect(page.url).toBe(`${installation.url}/pushes`);
    expect(await installation.isSignedIn(browser)).toBe(true);
  });

  it.each(authentications)('takes every character of the secret by %s', async (authentication) => {
    const installation = of();
    const id = installation.settings.OIDC_CLIENT_ID ?? '';
    const isBasic = authentication !== 'post';
    if (isBasic) await installation.register(id.replace(':', '')); // which ends the id in Basic
    const { page } = await installation.with({ OIDC_CLIENT_AUTH: authentication }, async () =>
      installation.signIn(await installation.newPerson()),
    );
    if (isBasic) await installation.register(id);
    expect(page.url).toBe(`${installation.url}/pushes`);
  });

  it('says why when the secret of the client is wrong', async () => {
    const installation = of();
    const { browser, page } = await installation.with({ OIDC_CLIENT_SECRET: 'another' }, async () =>
      installation.signIn(await installation.newPerson()),
    );
    expect(alertIn(page)).toContain('Signing in did not work');
    expect(await installation.isSignedIn(browser)).toBe(false);
    await installation.expectRefusal('client_refused');
  });
}

/** What a page says has gone wrong. */
export function alertIn({ body }: Page): string | undefined {
  return /role="alert"[^]*?<div>([^<]*)/.exec(body)?.[1];
}
