import { Installation } from './support/installation.js';
import { FAULTY_CLIENTS, startLemonLdap } from './support/lemonldap.js';
import { alertIn, testTheWalk } from './support/walk.js';
import { forAllTests } from '../support/for-tests.js';

describe('LemonLDAP::NG', () => {
  const installation = forAllTests(async () => Installation.start(await startLemonLdap()));

  // it reads Basic only up to the first + or / of base64
  testTheWalk(() => installation, ['post']);

  it('says why when the ID token is signed with the secret, as it is for a new client', async () => {
    const { browser, page } = await installation.with({ OIDC_CLIENT_ID: FAULTY_CLIENTS.new }, async () =>
      installation.signIn(await installation.newPerson()),
    );
    expect(alertIn(page)).toContain('Signing in did not work');
    expect(await installation.isSignedIn(browser)).toBe(false);
    await installation.expectRefusal('algorithm');
  });

  it('says why when the email address is not exported as verified', async () => {
    const { page } = await installation.with({ OIDC_CLIENT_ID: FAULTY_CLIENTS.unverified }, async () =>
      installation.signIn(await installation.newPerson()),
    );
    expect(alertIn(page)).toContain('does not say that your email address is verified');
    await installation.expectRefusal('email_unverified');
  });

  it('says in its metadata that it tells nobody who has signed out there', async () => {
    const metadata = await fetch(`${installation.provider.issuer}.well-known/openid-configuration`);
    expect(await metadata.json()).toMatchObject({ backchannel_logout_supported: false });
  });
});
