import { randomUUID } from 'node:crypto';
import { Identity } from '../../auth/entities/identity.entity.js';
import { KnownNetwork } from '../../auth/entities/known-network.entity.js';
import { Session } from '../../auth/entities/session.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { PasswordLinksService } from '../../auth/links/password-links.service.js';
import { SignInsService } from '../../auth/sign-in/sign-ins.service.js';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { UsersService } from '../../auth/users/users.service.js';
import { DAY_MS, MINUTE_MS } from '../../platform/settings/units.js';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { newAdministrator } from '../../../test/support/administrator.js';
import { addApp, freshCode, makeAuthenticationsOld } from '../../../test/support/authenticator-app.js';
import { Client } from '../../../test/support/client.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import type { Person } from '../../../test/support/identity-provider.js';
import {
  leadsTo,
  pathBack,
  PUBLIC_URL,
  signInAtProvider,
  TestIdentityProvider,
} from '../../../test/support/identity-provider.js';
import { startMailServer } from '../../../test/support/mail-server.js';
import { mailsTo } from '../../../test/support/mailbox.js';
import type { SignedInUser } from '../../../test/support/page-client.js';
import { asData, newSignedInUser, PageClient, PASSWORD } from '../../../test/support/page-client.js';
import type { RunningApp } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';

const JOIN = '/users/sign_in/join';

/** An installation with a provider, and what tests of it need. */
class Site {
  constructor(
    readonly running: RunningApp,
    readonly provider: TestIdentityProvider,
  ) {}

  browser(): PageClient {
    return new PageClient(this.running.url);
  }

  accountOf(email: string): Promise<User> {
    return this.running.dataSource.manager.findOneByOrFail(User, { email });
  }

  /** Somebody new who has signed in at the provider. */
  async newcomer(more: Partial<Person> = {}): Promise<{ person: Person; pageClient: PageClient }> {
    const person = this.provider.newPerson(more);
    const pageClient = this.browser();
    await signInAtProvider(pageClient);
    return { person, pageClient };
  }

  isJoined({ id: userId }: { id: string }): Promise<boolean> {
    return this.running.dataSource.manager.existsBy(Identity, { userId });
  }
}

function siteWith(env: () => Record<string, string> = () => ({})): Site {
  const provider = forAllTests(() => TestIdentityProvider.start());
  return new Site(
    forAllTests(() => startApp({ ...provider.env, ...env() })),
    provider,
  );
}

describe('An account that was there before its owner came from the provider', () => {
  const mailServer = forAllTests(startMailServer);
  const site = siteWith(() => ({ ...mailServer.env, PUBLIC_URL }));

  /** A browser whose user has come back from the provider, with the email address of an account. */
  const comingTo = async ({ email }: { email: string }) => {
    site.provider.newPerson({ email });
    const pageClient = site.browser();
    expect(leadsTo(await signInAtProvider(pageClient, '/users/token'))).toEqual([
      303,
      `${JOIN}?next=%2Fusers%2Ftoken`,
    ]);
    return pageClient;
  };
  const mailedTo = async (email: string, subject: string) =>
    (await mailsTo(site.running, mailServer, email)).filter((mail) => mail.subject === subject);
  /** The path of the link that was mailed last. */
  const linkTo = async (email: string) => {
    const mail = (await mailedTo(email, 'Join your account')).at(-1);
    return (
      /^http:\/\/sealpush\.example(\/users\/sign_in\/join\/[\w-]{43})/m.exec(mail?.text ?? '')?.[1] ?? ''
    );
  };
  const askForLink = async (pageClient: PageClient, { email }: { email: string }) => {
    const { status, body } = await pageClient.post(`${JOIN}/mail`, { next: '/pushes' });
    expect([status, body.includes('We sent an email to')]).toEqual([200, true]);
    return linkTo(email);
  };
  /** Whose email address is verified. */
  const member = async (): Promise<SignedInUser> => {
    const created = await newSignedInUser(site.running);
    await site.running.dataSource.manager.update(User, { id: created.id }, { emailUnverified: false });
    return created;
  };

  it('is joined after its password, and its owner is told; then it needs none (C1)', async () => {
    const owner = await member();
    const pageClient = await comingTo(owner);
    expect(await pageClient.isSignedIn()).toBe(false);
    expect((await pageClient.get(JOIN)).body).toContain(owner.email);

    const wrong = await pageClient.post(JOIN, { password: 'wrong', next: '/users/token' });
    expect([wrong.status, wrong.body.includes('Wrong password.')]).toEqual([422, true]);
    expect(await site.isJoined(owner)).toBe(false);

    expect(leadsTo(await pageClient.post(JOIN, { password: PASSWORD, next: '/users/token' }))).toEqual([
      303,
      '/users/token',
    ]);
    expect(await pageClient.isSignedIn()).toBe(true);
    expect(await mailedTo(owner.email, 'New way to sign in to your account')).toHaveLength(1);

    const next = site.browser();
    await signInAtProvider(next);
    expect((await next.get('/users/edit')).body).toContain(owner.email);
  });

  it('is joined by a mailed link that is opened in the same browser, once', async () => {
    const owner = await member();
    const pageClient = await comingTo(owner);
    const link = await askForLink(pageClient, owner);
    const { status, body } = await pageClient.get(link);
    expect([status, body.includes(owner.email)]).toEqual([200, true]);
    expect(await site.isJoined(owner)).toBe(false);

    const [first, second] = await allAtOnce(2, () => pageClient.post(link));
    expect([first?.status, second?.status].toSorted()).toEqual([303, 410]);
    expect(await site.isJoined(owner)).toBe(true);
    expect((await site.accountOf(owner.email)).passwordHash).not.toBeNull();
  });

  it('is not joined by a link in a browser that has not come from the provider, which stays usable', async () => {
    const owner = await member();
    const pageClient = await comingTo(owner);
    const link = await askForLink(pageClient, owner);
    const other = site.browser();

    expect((await other.get(link)).status).toBe(410);
    expect((await other.post(link)).status).toBe(410);
    expect((await pageClient.post(link)).status).toBe(303);
  });

  it('is not joined by the link of another account, an old one, or none', async () => {
    const [owner, other] = [await member(), await member()];
    const otherClient = await comingTo(other);
    const othersLink = await askForLink(otherClient, other);
    const pageClient = await comingTo(owner);
    const old = await askForLink(pageClient, owner);
    await askForLink(pageClient, owner);

    for (const link of [othersLink, old, `${JOIN}/${'x'.repeat(43)}`])
      expect((await pageClient.post(link)).status).toBe(410);
    expect(await site.isJoined(owner)).toBe(false);
  });

  it('loses what somebody set up who signed up with the email address of another (C1)', async () => {
    const squatter = await newSignedInUser(site.running);
    const account = await site.accountOf(squatter.email);
    const token = await site.running.app.get(TokensService).create(account, { name: 'kept' });
    const pageClient = await comingTo(squatter);
    await pageClient.post(await askForLink(pageClient, squatter));

    expect(await pageClient.isSignedIn()).toBe(true);
    expect(await squatter.pageClient.isSignedIn()).toBe(false);
    expect((await squatter.pageClient.signIn(squatter.email)).status).toBe(422);
    const api = new Client(site.running.url, { Authorization: `Bearer ${token}` });
    expect((await api.get('/api/v2/pushes/active')).status).toBe(401);
    expect(await site.accountOf(squatter.email)).toMatchObject({
      emailUnverified: false,
      passwordHash: null,
    });
  });

  it('needs its second factor, too, before it is joined (C2)', async () => {
    const owner = await member();
    const { secret } = await addApp(owner.pageClient);
    const pageClient = await comingTo(owner);
    const step = '/users/sign_in/second_factor';
    expect(leadsTo(await pageClient.post(JOIN, { password: PASSWORD }))).toEqual([303, step]);
    expect([await site.isJoined(owner), await pageClient.isSignedIn()]).toEqual([false, false]);

    const code = await freshCode(site.running, owner, secret);
    expect(leadsTo(await pageClient.post(step, { code }))).toEqual([303, '/pushes']);
    expect([await site.isJoined(owner), await pageClient.isSignedIn()]).toEqual([true, true]);
  });

  it('is not joined after it got another email address, or was disabled (D3)', async () => {
    const [moved, disabled] = [await member(), await member()];
    const [movedClient, disabledClient] = [await comingTo(moved), await comingTo(disabled)];
    const { app } = site.running;
    await app.get(UsersService).changeEmail(await site.accountOf(moved.email), `${randomUUID()}@example.org`);
    await app.get(AccountAdministration).disable(await site.accountOf(disabled.email));

    for (const pageClient of [movedClient, disabledClient])
      expect(leadsTo(await pageClient.post(JOIN, { password: PASSWORD }))).toEqual([
        303,
        '/users/sign_in?failed=provider_sign_in_ended',
      ]);
  });

  it('is joined once, whoever comes with its email address then, until it is unlinked (C1)', async () => {
    const owner = await member();
    const first = await comingTo(owner);
    const { cookies } = first;
    await first.post(JOIN, { password: PASSWORD });
    const replayed = new PageClient(site.running.url, { Cookie: cookies });
    expect(leadsTo(await replayed.post(JOIN, { password: PASSWORD }))).toEqual([
      303,
      '/users/sign_in?failed=provider_sign_in_ended',
    ]);

    site.provider.newPerson({ email: owner.email });
    const second = site.browser();
    const taken = [303, '/users/sign_in?failed=provider_account_taken'];
    expect(leadsTo(await signInAtProvider(second))).toEqual(taken);

    const administrator = await newAdministrator(site.running);
    const path = `/admin/accounts/${owner.id}`;
    expect((await administrator.pageClient.get(path)).body).toContain('Signs in at the provider');
    const unlink = () => administrator.pageClient.post(`${path}/unlink`, { password: PASSWORD });
    expect((await unlink()).status).toBe(303);
    expect([await first.isSignedIn(), await site.isJoined(owner)]).toEqual([false, false]);
    const again = await unlink();
    expect([again.status, again.body.includes('not linked to anybody')]).toEqual([422, true]);

    expect(leadsTo(await signInAtProvider(second))).toEqual([303, JOIN]);
    await second.post(JOIN, { password: PASSWORD });
    expect(await second.isSignedIn()).toBe(true);
  });

  it('is joined once by forms that are sent at once', async () => {
    const owner = await member();
    const pageClient = await comingTo(owner);
    const { cookies } = pageClient;
    const answers = await allAtOnce(3, () =>
      new PageClient(site.running.url, { Cookie: cookies }).post(JOIN, { password: PASSWORD }),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await site.running.dataSource.manager.countBy(Identity, { userId: owner.id })).toBe(1);
  });

  it('without a password can be joined by a link', async () => {
    const { user } = await site.running.app
      .get(UsersService)
      .create({ email: `${randomUUID()}@example.org` });
    const pageClient = await comingTo(user);
    expect((await pageClient.get(JOIN)).body).not.toContain('name="password"');
    await pageClient.post(await askForLink(pageClient, user));
    expect(await pageClient.isSignedIn()).toBe(true);
  });

  it('gets no more mails than other requests for links do', async () => {
    const owner = await member();
    const pageClient = await comingTo(owner);
    for (let requests = 0; requests < 5; requests += 1) await pageClient.post(`${JOIN}/mail`);
    expect(await mailedTo(owner.email, 'Join your account')).toHaveLength(3);
  });
});

describe('The email address that somebody gave an account', () => {
  const site = siteWith();

  it('keeps who signed in with that account out of it, once its owner has taken it over (C1)', async () => {
    const { person: attacker, pageClient } = await site.newcomer();
    const email = `${randomUUID()}@example.org`;
    await pageClient.post('/users/edit/password', { new_password: PASSWORD });
    const changed = await pageClient.post('/users/edit/email', { email, password: PASSWORD });
    expect(changed.status).toBe(303);
    const account = await site.accountOf(email);
    expect(account.emailUnverified).toBe(true);

    const link = await site.running.app.get(PasswordLinksService).create(account);
    const password = 'nine dark quiet forests';
    await site.browser().post(`/users/password/${link.token}`, { new_password: password });
    const owner = site.provider.newPerson({ email });
    const ownClient = site.browser();
    await signInAtProvider(ownClient);
    await ownClient.post(JOIN, { password });
    expect(await ownClient.isSignedIn()).toBe(true);

    site.provider.person = attacker;
    const again = site.browser();
    await signInAtProvider(again);
    expect((await again.get('/users/edit')).body).toContain(attacker.email);
    expect(owner.email).toBe(email);
  });
});

describe('Groups and domains at the provider', () => {
  const site = siteWith(() => ({
    OIDC_ALLOWED_GROUPS: 'staff, on call',
    OIDC_ALLOWED_DOMAINS: 'example.org, Example.NET',
    OIDC_ADMIN_GROUP: 'admins',
    OIDC_TOKENS_FOLLOW: 'true',
    SESSION_DAYS: '3',
  }));
  const groups = ['staff'];
  const refused = [303, '/users/sign_in?failed=provider_not_allowed'];

  it.each<[string, Partial<Person>, boolean]>([
    ['one of the groups', { groups: ['others', 'on call'] }, true],
    ['the group as a text', { groups: 'staff' as never }, true],
    ['another domain', { groups, email: `${randomUUID()}@example.net` }, true],
    ['no group', { groups: [] }, false],
    ['no claim of groups', { groups: undefined }, false],
    ['groups that are objects', { groups: [{ name: 'staff' }] as never }, false],
    ['a similar group', { groups: ['Staff', 'staff '] }, false],
    ['a foreign domain', { groups, email: `${randomUUID()}@example.org.evil.example` }, false],
    ['a domain below', { groups, email: `${randomUUID()}@sub.example.org` }, false],
  ])('decide with %s', async (_, person, isAllowed) => {
    site.provider.newPerson(person);
    const pageClient = site.browser();
    const response = await signInAtProvider(pageClient);
    expect(leadsTo(response)).toEqual(isAllowed ? [303, '/pushes'] : refused);
    expect(await pageClient.isSignedIn()).toBe(isAllowed);
  });

  it('end the sessions of somebody who has left them, at the next sign-in', async () => {
    const { person, pageClient } = await site.newcomer({ groups });
    person.groups = [];
    expect(leadsTo(await signInAtProvider(site.browser()))).toEqual(refused);
    expect(await pageClient.isSignedIn()).toBe(false);
  });

  it('are named in the audit log as what the provider has caused, with its name', async () => {
    const { pageClient } = await newAdministrator(site.running);
    const { person } = await site.newcomer({ groups: ['staff', 'admins'] });
    const { id } = await site.accountOf(person.email);
    person.email = `${randomUUID()}@example.org`;
    await signInAtProvider(site.browser());
    person.groups = [];
    await signInAtProvider(site.browser());

    const entries = await site.running.dataSource.manager.find(InstanceAuditEntry, {
      where: { subjectId: id },
      order: { id: 'ASC' },
    });
    const name = 'Example Login';
    const byProvider = entries.filter(({ actorType }) => actorType === 'provider');
    expect(byProvider.map(({ kind, actor, ip }) => [kind, actor, ip !== ''])).toEqual([
      ['account_created', name, true],
      ['administrator_added', name, true],
      ['email_verified', name, true],
      ['signed_out_everywhere', name, true],
      ['administrator_removed', name, true],
    ]);
    expect((await pageClient.get('/admin/audit')).body).toContain(`The sign-in provider ${asData(name)}`);
  });

  it('take the rights of an administrator who has left them, also with a password', async () => {
    await newAdministrator(site.running);
    const { person, pageClient } = await site.newcomer({ groups: ['staff', 'admins'] });
    await pageClient.post('/users/edit/password', { new_password: PASSWORD });
    person.groups = [];
    await signInAtProvider(site.browser());
    const withPassword = site.browser();
    await withPassword.signIn(person.email);
    expect((await withPassword.get('/admin')).status).toBe(404);
  });

  it('are looked at when somebody confirms, too', async () => {
    const { person, pageClient } = await site.newcomer({ groups });
    person.groups = [];
    const begun = await pageClient.get('/users/sign_in/provider/confirm');
    expect((await pageClient.get(await pathBack(begun))).status).toBe(403);
    expect(await pageClient.isSignedIn()).toBe(false);
  });

  it('give rights to accounts that are joined, with a second factor, too', async () => {
    await newAdministrator(site.running);
    const owner = await newSignedInUser(site.running);
    const { secret } = await addApp(owner.pageClient);
    site.provider.newPerson({ email: owner.email, groups: ['staff', 'admins'] });
    const pageClient = site.browser();
    expect(leadsTo(await signInAtProvider(pageClient))).toEqual([303, JOIN]);
    await pageClient.post(JOIN, { password: PASSWORD });
    expect((await site.accountOf(owner.email)).administrator).toBe(false);
    await pageClient.post('/users/sign_in/second_factor', {
      code: await freshCode(site.running, owner, secret),
    });
    expect((await site.accountOf(owner.email)).administrator).toBe(true);
  });

  it('give rights in each sign-in, whatever begins it, for ten minutes after the provider has named them', async () => {
    const { app } = site.running;
    const { email } = await newSignedInUser(site.running);
    const identity = randomUUID();
    const signIn = async (minutes: number, administrator: boolean) => {
      const at = Date.now() - minutes * MINUTE_MS;
      const provider = { identity, email, at, provenAt: at, administrator };
      const browser = { cookie: randomUUID(), language: 'en' as const, provider };
      await app.get(SignInsService).begin(await site.accountOf(email), browser);
      return (await site.accountOf(email)).administrator;
    };
    await newAdministrator(site.running);
    expect([await signIn(11, true), await signIn(9, true), await signIn(11, false)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('end every session after SESSION_DAYS', async () => {
    const { person } = await site.newcomer({ groups });
    const { id: userId } = await site.accountOf(person.email);
    const [session] = await site.running.dataSource.manager.findBy(Session, { userId });
    expect(session?.hasEnded(new Date(Date.now() + 3 * DAY_MS))).toBe(true);
    expect((session?.endsAt.getTime() ?? 0) - (session?.createdAt.getTime() ?? 0)).toBe(3 * DAY_MS);
  });

  it('stop the tokens of who has not come back for SESSION_DAYS, until they do', async () => {
    const { person } = await site.newcomer({ groups });
    const account = await site.accountOf(person.email);
    const token = await site.running.app.get(TokensService).create(account, { name: 'follows' });
    const api = new Client(site.running.url, { Authorization: `Bearer ${token}` });
    const status = async () => (await api.get('/api/v2/pushes/active')).status;
    expect(await status()).toBe(200);

    const providerSignInAt = new Date(Date.now() - 3 * DAY_MS - 1000);
    await site.running.dataSource.manager.update(User, { id: account.id }, { providerSignInAt });
    expect(await status()).toBe(401);
    await signInAtProvider(site.browser());
    expect(await status()).toBe(200);
  });

  it('leave tokens of other accounts alone', async () => {
    const { client } = await site.running.newUser();
    expect((await client.get('/api/v2/pushes/active')).status).toBe(200);
  });

  it('make administrators, and no longer, at each sign-in', async () => {
    await newAdministrator(site.running);
    const { person, pageClient } = await site.newcomer({ groups: ['staff', 'admins'] });
    expect((await pageClient.get('/admin')).status).toBe(200);

    person.groups = groups;
    const next = site.browser();
    await signInAtProvider(next);
    expect((await next.get('/admin')).status).toBe(404);
    expect((await pageClient.get('/admin')).status).toBe(404);
  });

  it('do not take the rights of the last administrator', async () => {
    const { person } = await site.newcomer({ groups: ['staff', 'admins'] });
    const { dataSource, app } = site.running;
    const account = await site.accountOf(person.email);
    for (const other of await dataSource.manager.findBy(User, { administrator: true }))
      if (other.id !== account.id) await app.get(AdministratorsService).demote(other);
    person.groups = groups;
    const pageClient = site.browser();
    await signInAtProvider(pageClient);
    expect((await pageClient.get('/admin')).status).toBe(200);
  });
});

describe('An installation where people sign in at the provider alone', () => {
  const site = siteWith(() => ({ PASSWORD_SIGN_IN: 'none', OIDC_CREATE_ACCOUNTS: 'false' }));

  it('offers and accepts no password, and no sign-up', async () => {
    const { email } = await newSignedInUser(site.running);
    const { body } = await site.browser().get('/users/sign_in');
    expect(body).not.toContain('type="password"');
    expect(body).toContain(`Sign in with ${asData('Example Login')}`);
    expect(body).not.toContain('/users/sign_up');

    const pageClient = site.browser();
    const [right, wrong] = [await pageClient.signIn(email), await pageClient.signIn(email, 'wrong')];
    expect([right.status, wrong.status]).toEqual([422, 422]);
    expect(right.body).toContain('The email address or password is wrong.');
    const { id } = await site.accountOf(email);
    const failures = { kind: 'sign_in_failed' as const, subjectId: id };
    expect(await site.running.dataSource.manager.countBy(InstanceAuditEntry, failures)).toBe(3); // with its first one
    expect(await site.running.dataSource.manager.countBy(KnownNetwork, { userId: id })).toBe(0);
    expect((await pageClient.get('/users/sign_up')).status).toBe(404);
    expect((await pageClient.post('/users/sign_up', { email, password: PASSWORD })).status).toBe(404);
  });

  it('counts only administrators who can sign in there', async () => {
    const { app, dataSource } = site.running;
    const administrators = app.get(AdministratorsService);
    const before = await newSignedInUser(site.running);
    await expect(administrators.promote(before)).rejects.toThrow('needs a way to sign in');

    const { pageClient } = await site.newcomer({ email: before.email });
    await pageClient.post(JOIN, { password: PASSWORD });
    await administrators.promote(before);
    const { user: other } = await app
      .get(UsersService)
      .create({ email: `${randomUUID()}@example.org`, password: PASSWORD });
    await administrators.promote(other);
    await expect(administrators.demote(before)).rejects.toThrow('another administrator who can sign in');
    expect(await dataSource.manager.countBy(User, { administrator: true })).toBe(2);
  });

  it('creates no account where it is not to', async () => {
    const { person, pageClient } = await site.newcomer();
    expect(await pageClient.isSignedIn()).toBe(false);
    expect(await site.running.dataSource.manager.existsBy(User, { email: person.email })).toBe(false);
  });

  it('joins an account from before by its password, and then has the provider confirm changes', async () => {
    const { email } = await newSignedInUser(site.running);
    const { person, pageClient } = await site.newcomer({ email });
    await pageClient.post(JOIN, { password: PASSWORD });
    expect(await pageClient.isSignedIn()).toBe(true);
    expect((await pageClient.get('/users/edit')).body).not.toContain('name="password"');

    const change = () => pageClient.post('/users/edit/email', { email: `new-${email}` });
    await makeAuthenticationsOld(site.running, await site.accountOf(email));
    const refused = await change();
    expect([refused.status, refused.body.includes('Show once more that it is you')]).toEqual([422, true]);
    expect(refused.body).toContain('/users/sign_in/provider/confirm?next=%2Fusers%2Fedit"');

    const confirm = async (authTime: unknown, sub = person.sub) => {
      const begun = await pageClient.get('/users/sign_in/provider/confirm?next=/users/edit');
      const { searchParams } = new URL(begun.headers.get('location') ?? '');
      expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
      site.provider.person = { ...person, sub, auth_time: authTime };
      return pageClient.get(await pathBack(begun));
    };
    const now = () => Math.floor(Date.now() / 1000);
    for (const [authTime, sub] of [[now() - 3600], [undefined], ['now'], [now(), 'somebody else']] as const) {
      expect((await confirm(authTime, sub)).status).toBe(403);
      expect((await change()).status).toBe(422);
    }
    expect(leadsTo(await confirm(1e12))).toEqual([303, '/users/edit']); // a clock that is ahead
    expect((await change()).status).toBe(303);
  });
});

describe('An installation where only administrators may use passwords', () => {
  const site = siteWith(() => ({ PASSWORD_SIGN_IN: 'administrators' }));

  it('folds their form, and refuses others like a wrong password', async () => {
    const administrator = await newAdministrator(site.running);
    const { email } = await newSignedInUser(site.running);
    const { body } = await site.browser().get('/users/sign_in');
    expect(body).toMatch(/<details[^>]*><summary[^>]*>Sign in as an administrator/);

    const [theirs, others] = [site.browser(), site.browser()];
    expect((await theirs.signIn(administrator.email)).status).toBe(303);
    const refused = await others.signIn(email);
    expect(refused.status).toBe(422);
    expect(refused.body).toContain('The email address or password is wrong.');
    expect(refused.body).toMatch(/<details[^>]* open>/);
  });
});

describe('A second factor of who comes from the provider', () => {
  const everyone = { REQUIRE_SECOND_FACTOR: 'everyone' };

  describe('by default', () => {
    const site = siteWith(() => everyone);

    it('is neither asked for nor required', async () => {
      const { person, pageClient } = await site.newcomer();
      expect((await pageClient.get('/pushes')).status).toBe(200);
      const account = await site.accountOf(person.email);
      const token = await site.running.app.get(TokensService).create(account, { name: 'works' });
      const api = new Client(site.running.url, { Authorization: `Bearer ${token}` });
      expect((await api.get('/api/v2/pushes/active')).status).toBe(200);
    });
  });

  describe('that their account has for passwords', () => {
    const site = siteWith();

    it('is what changes of the account need, not a sign-in at the provider (C2)', async () => {
      const { person, pageClient: first } = await site.newcomer();
      const account = await site.accountOf(person.email);
      const { secret } = await addApp(first);
      const pageClient = site.browser();
      await signInAtProvider(pageClient);
      expect(await pageClient.isSignedIn()).toBe(true);

      const remove = (code?: string) =>
        pageClient.post('/users/second_factor/authenticator/remove', { ...(code && { code }) });
      expect((await remove()).status).toBe(422);
      person.auth_time = Math.floor(Date.now() / 1000);
      const begun = await pageClient.get('/users/sign_in/provider/confirm');
      expect((await pageClient.get(await pathBack(begun))).status).toBe(403);
      expect((await remove()).status).toBe(422);
      expect((await remove(await freshCode(site.running, { ...account, pageClient }, secret))).status).toBe(
        303,
      );
    });
  });

  describe('with OIDC_SECOND_FACTOR', () => {
    const site = siteWith(() => ({ ...everyone, OIDC_SECOND_FACTOR: 'true' }));

    it('must be set up, is asked for, and protects the tokens', async () => {
      const { person, pageClient } = await site.newcomer();
      expect(leadsTo(await pageClient.get('/pushes'))).toEqual([303, '/users/second_factor']);
      const account = await site.accountOf(person.email);
      const token = await site.running.app.get(TokensService).create(account, { name: 'waits' });
      const api = new Client(site.running.url, { Authorization: `Bearer ${token}` });
      expect((await api.get('/api/v2/pushes/active')).status).toBe(403);

      await makeAuthenticationsOld(site.running, account);
      await expect(addApp(pageClient)).rejects.toThrow('422');
      expect((await pageClient.get('/users/second_factor')).body).toContain(
        '/users/sign_in/provider/confirm',
      );
      person.auth_time = Math.floor(Date.now() / 1000);
      const begun = await pageClient.get('/users/sign_in/provider/confirm?next=/users/second_factor');
      expect(leadsTo(await pageClient.get(await pathBack(begun)))).toEqual([303, '/users/second_factor']);

      const { secret } = await addApp(pageClient);
      expect((await pageClient.get('/pushes')).status).toBe(200);
      expect((await api.get('/api/v2/pushes/active')).status).toBe(200);

      const next = site.browser();
      const step = '/users/sign_in/second_factor';
      expect(leadsTo(await signInAtProvider(next))).toEqual([303, step]);
      expect(await next.isSignedIn()).toBe(false);
      const code = await freshCode(site.running, { ...account, pageClient }, secret);
      expect(leadsTo(await next.post(step, { code }))).toEqual([303, '/pushes']);
      expect((await next.post('/users/token', { name: 'proven by the code' })).status).toBe(201);
      const rows = await site.running.dataSource.manager.findBy(Session, { userId: account.id });
      expect(rows.every(({ identityId }) => identityId !== null)).toBe(true);
    });
  });
});
