import { randomUUID } from 'node:crypto';
import { UsersService } from '../../../src/auth/users/users.service.js';
import { versionOf } from '../../../src/auth/sign-in/pending-sign-ins.js';
import { SignInStates } from '../../../src/auth/sign-in/sign-in-states.js';
import { OidcSettings } from '../../../src/features/oidc/oidc.settings.js';
import type { PasswordSignIn } from '../../../src/platform/settings/settings.js';
import { Settings } from '../../../src/platform/settings/settings.js';
import { HOUR_MS } from '../../../src/platform/settings/units.js';
import { User } from '../../../src/auth/entities/user.entity.js';
import { makeAuthenticationsOld } from '../../support/authenticator-app.js';
import { PUBLIC_URL } from '../../support/identity-provider.js';
import { PASSWORD } from '../../support/page-client.js';
import type { Tour } from '../support/tour.js';
import { HOSTILE } from '../support/tour.js';

/** Signing in at a provider of OpenID Connect, as far as the pages are ours. */
export async function providerPages({ running, person, signIn, t, look }: Tour): Promise<void> {
  const { app, dataSource, url } = running;
  const settings = app.get(Settings);
  const before = { ...settings };
  const oidc = app.get(OidcSettings);
  const set = (PASSWORD_SIGN_IN: PasswordSignIn) => Object.assign(settings, { PASSWORD_SIGN_IN });
  Object.assign(oidc, { OIDC_ISSUER: PUBLIC_URL, OIDC_NAME: HOSTILE.slice(0, 40) });
  try {
    set('all');
    await person.visit('/users/sign_in?failed=provider_unavailable');
    await look('sign-in-provider');
    set('administrators');
    await person.visit('/users/sign_in');
    await look('sign-in-provider-administrators');
    set('none');
    await person.visit('/users/sign_in?done=signed_out');
    await look('sign-in-provider-alone');

    const { user: account } = await app
      .get(UsersService)
      .create({ email: `${randomUUID()}@example.org`, password: PASSWORD });
    const { id: userId, email } = account;
    const signedIn = JSON.stringify({ identity: '', email, at: 0, provenAt: 0 });
    const state = app
      .get(SignInStates)
      .seal(
        'sealpush-join',
        { id: randomUUID(), userId, version: versionOf(account), signIn: signedIn },
        new Date(Date.now() + HOUR_MS),
      );
    await person.context.addCookies([{ name: 'sealpush-join', value: state, url }]);
    await person.visit('/users/sign_in/join');
    await look('join');
    await person.visit(`/users/sign_in/join/${'x'.repeat(43)}`);
    await look('join-link');
    await person.visit('/users/sign_in/join');
    await person.fill({ [t.text('join.password')]: 'wrong' });
    await person.press(t.text('join.submit'));
    await person.page.locator('#password-error').waitFor();
    await look('join-error');

    const user = await signIn();
    await dataSource.manager.update(User, { id: user.id }, { providerSignInAt: new Date() });
    await makeAuthenticationsOld(running, user);
    await person.visit('/users/edit');
    await look('account-provider');
  } finally {
    Object.assign(settings, before);
    Object.assign(oidc, { OIDC_ISSUER: undefined, OIDC_NAME: undefined });
  }
}
