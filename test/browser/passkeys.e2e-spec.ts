import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { codeOf, offeredIn } from '../support/authenticator-app.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

const PASSWORD = 'seven wide green rivers';

/** Gives the browser an authenticator that agrees to everything, as a phone does whose owner touches its sensor. */
async function addAuthenticator({ context, page }: Person, isUserVerified = true): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: isUserVerified,
    },
  });
}

describe('Passkeys in the browser', () => {
  // browsers accept no IP address as the host of a passkey
  const site = startSite({
    url: () => site.running.url.replace('127.0.0.1', 'localhost'),
    expected: /ERR_INTERNET_DISCONNECTED/,
  });
  const { person } = site;

  it('sign in alone, after the password, and confirm what matters', async () => {
    const email = `${randomUUID()}@example.org`;
    await addAuthenticator(person);
    await person.signUpAndIn(email, PASSWORD);
    await person.visit('/users/second_factor');
    await person.fill({ 'Name (optional)': 'Phone' });
    await person.page.getByLabel('Name (optional)').press('Enter');
    await person.waitForHeading('Keep your recovery codes');
    await person.page.getByRole('link', { name: 'I have them in a safe place' }).click();
    await person.page.getByText('Phone', { exact: true }).waitFor();

    await person.signOut();
    await person.waitForHeading('Sign in');
    await person.press('Sign in with a passkey');
    await person.waitForHeading('Your secrets');

    await person.signOut();
    await person.waitForHeading('Sign in');
    await person.fill({ Email: email, Password: PASSWORD });
    await person.press('Sign in');
    await person.waitForHeading('Use your passkey');
    const step = await person.context.cookies();
    await person.context.clearCookies();
    await person.press('Use a passkey');
    await person.page.getByText('You did not finish signing in').waitFor();
    await person.context.addCookies(step);
    await person.page.goBack();
    await person.press('Use a passkey');
    await person.waitForHeading('Your secrets');
  });

  it('say in words that they were not used, and the person can go on in another way', async () => {
    await addAuthenticator(person);
    await person.visit('/users/sign_in');
    await person.press('Sign in with a passkey'); // the authenticator has none
    await person.page.getByText('this device has none for this site').waitFor();
    await person.context.setOffline(true);
    await person.press('Sign in with a passkey');
    await person.page.getByText('The server did not answer this request.').waitFor();
    await person.context.setOffline(false);
    expect(await person.page.getByRole('button', { name: 'Sign in', exact: true }).isEnabled()).toBe(true);
  });

  it('are not added twice to one device, which is said', async () => {
    await addAuthenticator(person);
    await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
    await person.visit('/users/second_factor');
    await addPasskey(person);
    await person.waitForHeading('Keep your recovery codes');
    await person.visit('/users/second_factor');
    await addPasskey(person);
    await person.page.getByText('This device already has a passkey for your account.').waitFor();
  });
});

describe('A second factor at an IP address', () => {
  const { person } = startSite();

  it('is no passkey, which is said where they could be added', async () => {
    await addAuthenticator(person);
    await person.visit('/users/sign_in');
    expect(await person.page.getByText('passkey').count()).toBe(0);
    await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
    await person.visit('/users/second_factor');
    await person.page.getByText('Passkeys do not work at the address of this site').waitFor();
    expect(await person.page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
  });

  it('that is an app shows its recovery codes, also after a double click', async () => {
    await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
    for (const button of ['Turn on', 'Show new codes']) {
      await person.visit('/users/second_factor');
      if (button === 'Turn on') {
        const { secret } = offeredIn(await person.page.content());
        await person.fill({ 'Code that the app shows now': await codeOf(secret) });
      }
      const posts: string[] = [];
      await person.page.route(/second_factor\/(authenticator|recovery_codes)$/, async (route) => {
        posts.push(route.request().url());
        await setTimeout(500); // so that the second click comes before the response
        await route.continue();
      });
      const press = await person.unfolded(person.page.locator('button', { hasText: button }));
      await press.dblclick({ delay: 50 });
      await person.waitForHeading('Keep your recovery codes');
      expect(posts).toHaveLength(1);
      await person.page.unrouteAll();
    }
  });
});

describe('Passkeys at another address than that of the site', () => {
  const { person } = startSite({ settings: { PUBLIC_URL: 'http://push.example.org' } });

  it('are not offered, and the page where they are added says where they work', async () => {
    await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
    await person.visit('/users/second_factor');
    await (await person.unfolded(person.page.getByText('the address push.example.org with HTTPS'))).waitFor();
    expect(await person.page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false);
    expect(await person.page.getByLabel('Name (optional)').isVisible()).toBe(false);
  });
});

/** Presses the button in its fold. */
async function addPasskey(person: Person): Promise<void> {
  const button = person.page.locator('button', { hasText: 'Add a passkey' });
  await (await person.unfolded(button)).click();
}
