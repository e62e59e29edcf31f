import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Settings } from '../../platform/settings/settings.js';
import { OidcSettings } from './oidc.settings.js';
import { User } from '../../auth/entities/user.entity.js';
import { makeAuthenticationsOld } from '../../../test/support/authenticator-app.js';
import { CLIENT_ID, CLIENT_SECRET } from '../../../test/support/identity-provider.js';
import type { Person } from '../../../test/browser/support/person.js';
import { startSite } from '../../../test/browser/support/site.js';
import { CHILD_ENV } from '../../../test/support/child-env.js';

/** Starts test/support/oidc-provider.mjs for an installation at `site`; returns its issuer. */
async function startOidcProvider(site: string): Promise<{ issuer: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, ['test/support/oidc-provider.mjs'], {
    env: { ...CHILD_ENV, CLIENT_ID, CLIENT_SECRET, SITE: site },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    issuer: chunk.toString().trim(),
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

describe('Signing in at a provider, in the browser', () => {
  const url = () => site.running.url.replace('127.0.0.1', 'localhost'); // another site than the provider
  const site = startSite({
    url,
    expected: /^requests another site: http:|fonts\.googleapis|ERR_NAME_NOT_RESOLVED/,
  });
  const { person } = site;
  let issuer: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const PUBLIC_URL = url();
    ({ issuer, stop } = await startOidcProvider(PUBLIC_URL));
    const client = {
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Example Login',
    };
    Object.assign(site.running.app.get(Settings), { PUBLIC_URL });
    Object.assign(site.running.app.get(OidcSettings), { OIDC_ISSUER: issuer, ...client });
  });
  afterAll(() => stop());

  const signInThere = async ({ page }: Person, name: string) => {
    await page.getByPlaceholder('Enter any login').fill(name);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it('goes there, comes back to the page that was asked for, and signs out of both', async () => {
    const name = randomUUID();
    const { page } = person;
    await person.visit('/users/token');
    await person.waitForHeading('Sign in');
    await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
    await signInThere(person, name);
    await person.waitForHeading('Automation');
    await person.visit('/users/edit');
    await page.getByRole('region', { name: 'Signing in' }).getByText(`${name}@example.org`).waitFor();

    await person.signOut();
    await page.getByRole('link', { name: 'Sign out of Example Login as well' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await person.waitForHeading('Sign in');
    await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
    await page.getByPlaceholder('Enter any login').waitFor();
  });
  const signIn = async (name: string) => {
    await person.visit('/users/sign_in');
    await person.page.getByRole('link', { name: 'Sign in with Example Login' }).click();
    await signInThere(person, name);
    await person.waitForHeading('Your secrets');
  };

  it('stays signed in after going back to the steps before, and reloading', async () => {
    const { page } = person;
    await signIn(randomUUID());
    for (let steps = 0; steps < 3; steps += 1) await page.goBack();
    await page.reload();
    await person.visit('/users/edit');
    await person.waitForHeading('Your account');
  });

  it('confirms there what needs a password elsewhere', async () => {
    const name = randomUUID();
    const { page } = person;
    await signIn(name);
    const { dataSource } = site.running;
    const account = await dataSource.manager.findOneByOrFail(User, { email: `${name}@example.org` });
    await makeAuthenticationsOld(site.running, account);
    await person.visit('/users/edit');
    const confirm = page
      .locator('form', { hasText: 'New email address' })
      .locator('a', { hasText: 'confirm with Example Login' });
    await (await person.unfolded(confirm)).click();
    await page.getByPlaceholder('Enter any login').fill(name);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await person.waitForHeading('Your account');
    await person.fill({ 'New email address': `new-${name}@example.org` });
    await person.press('Change email address');
    await page.getByText('Your email address was changed').waitFor();
  });

  it('ends here when it ends there', async () => {
    const { page } = person;
    await signIn(randomUUID());
    await page.goto(`${issuer}/session/end`);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByText('Sign-out Success').waitFor();
    await person.visit('/users/edit');
    await person.waitForHeading('Sign in');
  });
});
