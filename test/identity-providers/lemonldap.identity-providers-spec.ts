import { Installation } from './support/installation.js';
import type { LemonLdap } from './support/lemonldap.js';
import { startLemonLdap } from './support/lemonldap.js';
import { alertIn, testTheWalk } from './support/walk.js';

describe('LemonLDAP::NG', () => {
  let provider: LemonLdap;
  let installation: Installation;

  beforeAll(async () => {
    provider = await startLemonLdap();
    installation = await Installation.start(provider);
  });
  afterAll(() => installation.stop());

  // it reads Basic only up to the first + or / of base64
  testTheWalk(() => installation, ['post']);

  it('says why when the ID token is signed with the secret, as it is for a new client', async () => {
    await provider.configure({ options: { oidcRPMetaDataOptionsIDTokenSignAlg: 'HS512' } });
    const { browser, page } = await installation.signIn(await installation.newPerson());
    await provider.configure({ options: { oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256' } });
    expect(alertIn(page)).toContain('Signing in did not work');
    expect(await installation.isSignedIn(browser)).toBe(false);
    await installation.expectRefusal('algorithm');
  });

  it('says why when the email address is not exported as verified', async () => {
    await provider.configure({ claims: { email_verified: undefined } });
    const { page } = await installation.signIn(await installation.newPerson());
    await provider.configure({ claims: { email_verified: 'email_verified;bool' } });
    expect(alertIn(page)).toContain('does not say that your email address is verified');
    await installation.expectRefusal('email_unverified');
  });

  it('says in its metadata that it tells nobody who has signed out there', async () => {
    const metadata = await fetch(`${provider.issuer}.well-known/openid-configuration`);
    expect(await metadata.json()).toMatchObject({ backchannel_logout_supported: false });
  });
});
