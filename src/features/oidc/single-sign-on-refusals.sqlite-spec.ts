import { readFileSync } from 'node:fs';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { UsersService } from '../../auth/users/users.service.js';
import { PROVIDER_REFUSALS } from './provider-refusals.js';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { Log } from '../../platform/logging/log.js';
import { OidcSettings } from './oidc.settings.js';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import type { Lies, Person } from '../../../test/support/identity-provider.js';
import { leadsTo, signInAtProvider, TestIdentityProvider } from '../../../test/support/identity-provider.js';
import { newSignedInUser, PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

type Reason = keyof typeof PROVIDER_REFUSALS;
type Case = [reason: Reason, lies: Lies, person?: Partial<Person>, settings?: Partial<OidcSettings>];

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const now = () => Math.floor(Date.now() / 1000);
const secret = new TextEncoder().encode('seven green rivers at the provider, and a few more letters of it');
const signedWithSecret = (alg: string): Lies => ({
  token: (claims) => new SignJWT(claims).setProtectedHeader({ alg }).sign(secret),
});
const signedByAnother: Lies = {
  token: async (claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256' })
      .sign((await generateKeyPair('RS256')).privateKey),
};
/** What people are told, by the first word of the reason; otherwise `provider_sign_in_failed`. */
const TOLD: Record<string, string> = {
  email: 'provider_email_unverified',
  group: 'provider_not_allowed',
  groups: 'provider_not_allowed',
  domain: 'provider_not_allowed',
  account: 'provider_no_account',
};

const CASES: Case[] = [
  ['email_missing', {}, { email: undefined as unknown as string }],
  ['email_unverified', {}, { email_verified: false }],
  ['email_unverified', {}, { email_verified: undefined }],
  ['email_not_accepted', {}, { email: 'nobody' }],
  ['groups_missing', {}, {}, { OIDC_ALLOWED_GROUPS: ['staff'] }],
  ['group_not_allowed', {}, { groups: ['others'] }, { OIDC_ALLOWED_GROUPS: ['staff'] }],
  ['domain_not_allowed', {}, {}, { OIDC_ALLOWED_DOMAINS: ['example.com'] }],
  ['account_missing', {}, {}, { OIDC_CREATE_ACCOUNTS: false }],
  ['client_refused', {}, {}, { OIDC_CLIENT_SECRET: 'wrong' }],
  ['code_refused', { redirect: { code: 'another' } }],
  ['provider_error', { redirect: { code: '', error: 'access_denied' } }],
  ['nonce_differs', { claims: { nonce: 'another' } }],
  ['nonce_differs', { claims: { nonce: undefined } }],
  ['issuer_differs', { claims: { iss: 'https://evil.example' } }],
  ['issuer_differs', { redirect: { iss: 'https://evil.example' } }],
  ['audience_differs', { claims: { aud: 'another client' } }],
  ['clock', { claims: { exp: now() - HOUR } }],
  ['clock', { claims: { nbf: now() + HOUR } }], // from when this file is loaded, which may be minutes before its tests
  ['algorithm', signedWithSecret('HS256')],
  ['algorithm', { token: (claims) => new UnsecuredJWT(claims).encode() }],
  ['algorithm', { token: () => 'a.b.c.d.e' }],
  ['signature', signedByAnother],
  ['userinfo_refused', { claims: { email: undefined }, userinfo: { sub: 'somebody else' } }],
  ['response_invalid', { token: () => 'a.b.c' }],
  ['response_invalid', { claims: { sub: undefined } }],
  ['response_invalid', { redirect: { code: '' } }],
];

describe('What the provider says', () => {
  const provider = forAllTests(() => TestIdentityProvider.start());
  const running = forAllTests(() => startApp(provider.env));
  let warnings: jest.SpyInstance;

  beforeAll(() => (warnings = jest.spyOn(running.app.get(Log), 'warning')));
  beforeEach(() => warnings.mockClear());

  const lastEntry = async () => {
    const [entry] = await running.dataSource.manager.find(InstanceAuditEntry, {
      order: { id: 'DESC' },
      take: 1,
    });
    return entry && [entry.kind, entry.details, entry.subject];
  };
  const lines = () =>
    warnings.mock.calls.map(([message, { reason }]: [string, { reason?: string }]) => [message, reason]);
  const SIGN_IN = 'A sign-in at the provider of OpenID Connect was refused';
  const LOGOUT = 'A logout token of the provider of OpenID Connect was refused';
  const withSettings = async (changed: Partial<OidcSettings>, work: () => Promise<unknown>) => {
    const settings = running.app.get(OidcSettings);
    const before = { ...settings };
    Object.assign(settings, changed);
    try {
      await work();
    } finally {
      Object.assign(settings, before);
    }
  };
  const tell = async (token: string) => {
    const body = new URLSearchParams({ logout_token: token });
    return (await fetch(`${running.url}/users/sign_in/provider/logout`, { method: 'POST', body })).status;
  };
  const signIn = () => signInAtProvider(new PageClient(running.url));

  it.each(CASES)(
    'is recorded and logged, and signs nobody in, when a sign-in is refused: %s',
    async (...[reason, lies, person, settings]: Case) => {
      const { email = '' } = provider.newPerson(person) as Partial<Person>;
      provider.lies = lies;
      const pageClient = new PageClient(running.url);
      await withSettings({ ...settings }, async () => {
        const told = TOLD[reason.split('_')[0] ?? ''] ?? 'provider_sign_in_failed';
        expect(leadsTo(await signInAtProvider(pageClient))).toEqual([303, `/users/sign_in?failed=${told}`]);
      });
      expect(await pageClient.isSignedIn()).toBe(false);
      expect(await running.dataSource.manager.existsBy(User, { email })).toBe(false);

      const providerError = { provider_error: 'access_denied' };
      const more: Partial<Record<Reason, object>> = {
        provider_error: providerError,
        client_refused: { provider_error: 'invalid_client' },
        code_refused: { provider_error: 'invalid_grant' },
      };
      expect(await lastEntry()).toEqual(['provider_sign_in_refused', { reason, ...more[reason] }, '']);
      expect(lines()).toEqual([[SIGN_IN, PROVIDER_REFUSALS[reason]]]);
      provider.lies = {}; // metadata of these
    },
  );

  it.each(['HS256', 'HS512'])('is recorded when it announces %s and signs with it', async (alg) => {
    const metadata = { id_token_signing_alg_values_supported: ['RS256', alg] };
    provider.newPerson();
    provider.lies = { ...signedWithSecret(alg), metadata };
    const other = await forThisTest(startApp(provider.env)); // has not read other metadata before
    await signInAtProvider(new PageClient(other.url));
    const [entry] = await other.dataSource.manager.find(InstanceAuditEntry, { order: { id: 'DESC' } });
    expect(entry?.details).toEqual({ reason: 'algorithm' });
  });

  it('is recorded with another code only as "other"', async () => {
    provider.newPerson();
    provider.lies = { redirect: { code: '', error: 'x<script>' } };
    await signIn();
    expect(await lastEntry()).toMatchObject([
      'provider_sign_in_refused',
      { reason: 'provider_error', provider_error: 'other' },
      '',
    ]);
    expect(JSON.stringify(warnings.mock.calls)).not.toContain('script');
  });

  it('is recorded with the account that it is about', async () => {
    const { email } = provider.newPerson();
    await signIn();
    provider.person.email_verified = true;
    const user = (await running.app.get(UsersService).findByEmail(email)) as User;
    await running.dataSource.manager.update('users', { id: user.id }, { disabledAt: new Date() });
    await signIn();
    expect(await lastEntry()).toEqual(['provider_sign_in_refused', { reason: 'account_disabled' }, email]);

    provider.newPerson({ email });
    await running.dataSource.manager.update('users', { id: user.id }, { disabledAt: null });
    await signIn();
    expect(await lastEntry()).toEqual(['provider_sign_in_refused', { reason: 'account_taken' }, email]);
  });

  it('is recorded when a confirmation is refused', async () => {
    const { email } = provider.newPerson();
    const pageClient = new PageClient(running.url);
    await signInAtProvider(pageClient);
    const confirm = async () => {
      const begun = await pageClient.get('/users/sign_in/provider/confirm');
      const toProvider = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
      await pageClient.get((toProvider.headers.get('location') ?? '').replace('http://sealpush.example', ''));
      return lastEntry();
    };
    expect(await confirm()).toEqual(['provider_sign_in_refused', { reason: 'not_asked_again' }, email]);
    provider.newPerson();
    expect(await confirm()).toEqual(['provider_sign_in_refused', { reason: 'other_person' }, email]);
  });

  it('is recorded when a browser comes back that has not begun', async () => {
    await new PageClient(running.url).get('/users/sign_in/provider/callback?code=1&state=0.x');
    expect(await lastEntry()).toEqual(['provider_sign_in_refused', { reason: 'state_unknown' }, '']);
    expect(lines()).toEqual([[SIGN_IN, PROVIDER_REFUSALS.state_unknown]]);
  });

  describe('about signing out', () => {
    it('is recorded with what it ended', async () => {
      const { email, sub } = provider.newPerson();
      provider.lies = { claims: { sid: 'a session' } };
      await signIn();
      expect(await tell(await provider.logoutToken({ sub, sid: 'a session' }))).toBe(200);
      expect(await lastEntry()).toEqual(['provider_logout', { sessions: 1 }, email]);
      expect(await tell(await provider.logoutToken({ sub: 'nobody' }))).toBe(200);
      expect(await lastEntry()).toEqual(['provider_logout', { sessions: 0 }, '']);
    });

    it.each([-3, 3])('counts with clocks that differ by %d minutes', async (minutes) => {
      provider.newPerson();
      provider.lies = { claims: { sid: `session ${minutes}` } };
      const pageClient = new PageClient(running.url);
      await signInAtProvider(pageClient);
      const iat = now() + minutes * MINUTE;
      const token = await provider.logoutToken({ sid: `session ${minutes}`, iat, exp: iat + 120 });
      expect(await tell(token)).toBe(200);
      expect(await pageClient.isSignedIn()).toBe(false);
    });

    it('ends the session that it names, however wrong the clocks are, and no other', async () => {
      const { sub } = provider.newPerson();
      provider.lies = { claims: { sid: 'named' } };
      const [named, other] = [new PageClient(running.url), new PageClient(running.url)];
      await signInAtProvider(named);
      provider.lies = { claims: { sid: 'another' } };
      await signInAtProvider(other);
      const iat = now() - 9 * MINUTE;
      expect(await tell(await provider.logoutToken({ sub, sid: 'named', iat, exp: now() }))).toBe(200);
      expect([await named.isSignedIn(), await other.isSignedIn()]).toEqual([false, true]);
    });

    it.each<[Reason, number, () => Promise<string>]>([
      ['issuer_differs', 400, () => provider.logoutToken({ sub: 'x', iss: 'https://evil.example' })],
      ['audience_differs', 400, () => provider.logoutToken({ sub: 'x', aud: 'another client' })],
      ['clock', 400, () => provider.logoutToken({ sub: 'x', iat: now() - 3600 })],
      ['clock', 400, () => provider.logoutToken({ sub: 'x', iat: now() + 6 * MINUTE, exp: now() + 3600 })],
      ['clock', 400, () => provider.logoutToken({ sub: 'x', exp: now() - 3600 })],
      ['no_logout', 400, () => provider.logoutToken({ sub: 'x', iat: undefined })],
      ['no_logout', 400, () => provider.logoutToken({ sub: 'x', nonce: 'that of an ID token' })],
      ['no_logout', 400, () => provider.logoutToken({ sub: 'x', events: undefined })],
      ['no_logout', 400, () => provider.logoutToken({})],
      ['algorithm', 400, () => new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(secret)],
      [
        'signature',
        400,
        async () => provider.sign({ sub: 'x' }, 'logout+jwt', (await generateKeyPair('RS256')).privateKey),
      ],
      ['response_invalid', 400, () => Promise.resolve('a.b.c')],
      ['response_invalid', 400, () => Promise.resolve('')],
    ])('is recorded and logged when it is refused: %s', async (reason, status, token) => {
      expect(await tell(await token())).toBe(status);
      expect(await lastEntry()).toEqual(['provider_logout_refused', { reason }, '']);
      expect(lines()).toEqual([[LOGOUT, PROVIDER_REFUSALS[reason]]]);
    });

    it('is recorded when the key is not known yet', async () => {
      await provider.rotateKey();
      expect(await tell(await provider.logoutToken({ sub: 'x' }))).toBe(503);
      expect(await lastEntry()).toEqual(['provider_logout_refused', { reason: 'key_unknown' }, '']);
    });
  });

  it('is shown to administrators in words', async () => {
    const { pageClient, email } = await newSignedInUser(running);
    const user = (await running.app.get(UsersService).findByEmail(email)) as User;
    await running.app.get(AdministratorsService).promote(user, 'en');
    provider.newPerson({ email_verified: false });
    await signIn();
    const { body } = await pageClient.get('/admin/audit?kind=provider_sign_in_refused');
    expect(body).toContain('it does not say that the email address is verified');
    const german = await pageClient.get('/admin/audit?kind=provider_sign_in_refused&locale=de');
    expect(german.body).toContain('er sagt nicht, dass die E-Mail-Adresse bestätigt ist');
  });
});

describe('The reasons of refusals', () => {
  it('are those that the documents list', () => {
    const [, part = ''] = readFileSync('docs/single-sign-on.md', 'utf8').split('### Reasons');
    const rows = [...(part.split('\n#')[0] ?? '').matchAll(/^\| (\S.*?) +\| `(\w+)` +\| \S/gm)];
    expect(rows.map(([, words, code]) => [code, words])).toEqual(Object.entries(PROVIDER_REFUSALS));
  });
});
