import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SetupCodes } from '../../src/features/setup/setup-codes.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { codeOf, offeredIn } from '../support/authenticator-app.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { PASSWORD } from '../support/page-client.js';
import { tooWide } from './support/look.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

/** Sets up an authenticator app, and leaves the page on which the recovery codes are shown. */
async function addApp(person: Person): Promise<string> {
  await person.visit('/users/second_factor');
  const { secret } = offeredIn(await person.page.content());
  await person.fill({ 'Code that the app shows now': await codeOf(secret) });
  await person.press('Turn on');
  await person.waitForHeading('Keep your recovery codes');
  return secret;
}

describe('The page of an account', () => {
  const { person, signIn } = startSite();

  /** What a part of the page says, in one line. */
  const said = async (region: string) =>
    (await person.page.getByRole('region', { name: region, exact: true }).innerText()).replaceAll(
      /\s+/g,
      ' ',
    );
  const visiblePasswords = () => person.page.locator('input[type=password]:visible').count();

  it('says how each thing is set without being opened, and asks for no password on arrival', async () => {
    const { email } = await signIn();
    await person.visit('/users/edit');

    expect(await visiblePasswords()).toBe(0);
    expect(await said('Signing in')).toBe(
      `Signing in Email address ${email} Change Password Set Change Second factor Off Set up Browsers Signed in on this browser only Manage`,
    );
    expect(await said('Automation')).toMatch(
      /^Automation API tokens 1 token, never used Manage Webhooks None Manage$/,
    );

    await addApp(person);
    await person.visit('/users/edit');
    expect(await said('Signing in')).toContain(
      'Second factor On · Authenticator app · 10 recovery codes left Manage',
    );
  });

  it('has each form behind Change, which stays open with what is wrong in it', async () => {
    await signIn();
    await person.visit('/users/edit');
    await person.page.locator('summary', { hasText: 'Email address' }).click();
    expect(await visiblePasswords()).toBe(1);
    await person.fill({ 'New email address': 'new@example.org' });
    await person.page.locator('input[type=password]:visible').fill('wrong');
    await person.press('Change email address');
    await person.page.getByText('Wrong password.').waitFor();

    expect(await person.page.getByLabel('New email address').inputValue()).toBe('new@example.org');
    expect(await visiblePasswords()).toBe(1);
    expect(await person.page.evaluate('document.activeElement.type')).toBe('password');
  });

  it.each([320, 390, 1280])('fits with its forms open at %i px', async (width) => {
    await signIn();
    await person.page.setViewportSize({ width, height: 844 });
    for (const path of [
      '/users/edit',
      '/users/second_factor',
      '/users/sessions',
      '/users/token',
      '/users/webhooks',
    ]) {
      await person.visit(path);
      await person.page.evaluate(
        'for (const fold of document.querySelectorAll("main details")) fold.open = true',
      );
      expect([path, await tooWide(person.page)]).toEqual([path, []]);
    }
  });
});

describe('Signing in', () => {
  const site = startSite({ url: () => site.running.url.replace('127.0.0.1', 'localhost') });
  const { person } = site;

  it('says why, where somebody wants to ask for a secret', async () => {
    await person.visit('/requests/new');

    await person.waitForHeading('Sign in to ask for a secret');
    await person.page.getByText('Answers go to an account, so that only you can open them.').waitFor();
  });

  it('offers a passkey before the password, and says what is wrong below the password alone', async () => {
    await person.visit('/users/sign_in');
    const passkey = await person.page.getByRole('button', { name: 'Sign in with a passkey' }).boundingBox();
    const password = await person.page.getByLabel('Password', { exact: true }).boundingBox();
    expect(passkey?.y).toBeLessThan(password?.y ?? 0);

    await person.fill({ Email: 'nobody@example.org', Password: 'wrong' });
    await person.press('Sign in');
    const error = person.page.getByText('The email address or password is wrong.');
    const [field, below] = [
      await person.page.getByLabel('Password', { exact: true }).boundingBox(),
      await error.boundingBox(),
    ];
    expect((below?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeLessThan(16);
    expect(await person.page.evaluate('document.activeElement.id')).toBe('password');
    expect(await person.page.locator('[role=alert]:visible:not(:empty)').count()).toBe(0);
  });

  it('goes on by itself after the sixth digit of a code', async () => {
    const email = `${randomUUID()}@example.org`;
    await person.signUpAndIn(email, PASSWORD);
    const secret = await addApp(person);
    await person.signOut();
    await person.waitForHeading('Sign in');
    await person.fill({ Email: email, Password: PASSWORD });
    await person.press('Sign in');
    await person.waitForHeading('Enter your code');
    await person.page.getByText('It goes on by itself after the last one.').waitFor();
    await person.page.getByLabel('Code', { exact: true }).pressSequentially(await codeOf(secret, 1));

    await person.waitForHeading('Your secrets');
  });
});

describe('Recovery codes', () => {
  const { person, signIn } = startSite();

  it('are monospaced, and can be saved, copied and printed', async () => {
    await person.page.addInitScript('window.print = () => { window.printed = true; }');
    await signIn();
    await addApp(person);
    const codes = person.page.getByRole('region', { name: 'Recovery codes' }).locator('pre');
    const text = (await codes.textContent()) ?? '';

    expect(text.split('\n')).toHaveLength(10);
    expect(await person.page.evaluate('getComputedStyle(document.querySelector("pre")).fontFamily')).toMatch(
      /Mono/,
    );
    const downloading = person.page.waitForEvent('download');
    await person.press('Save as a file');
    const download = await downloading;
    expect([download.suggestedFilename(), await readFile(await download.path(), 'utf8')]).toEqual([
      'recovery-codes.txt',
      `${text}\n`,
    ]);
    await person.press('Copy');
    await person.page.getByText('Copied').waitFor();
    await person.press('Print');
    expect(await person.page.evaluate('window.printed')).toBe(true);
    expect(await person.page.getByRole('link', { name: 'I have them in a safe place' }).count()).toBe(1);
  });
});

describe('After setup', () => {
  const settings: Record<string, string> = {};
  const server = forAllTests(startMailServer);
  beforeAll(() => Object.assign(settings, server.env, { PUBLIC_URL: 'http://push.example.org' }));
  const { running, person } = startSite({ settings });

  const stepsDone = () => person.page.getByRole('heading', { level: 2 }).first().textContent();

  it('the next page has the first steps, which tick themselves and can be hidden', async () => {
    await person.visit('/setup');
    await person.fill({
      'Setup code': (await running.app.get(SetupCodes).current()) ?? '',
      Email: 'anna@example.org',
      Password: PASSWORD,
    });
    await person.press('Create administrator');
    await person.waitForHeading('Sealpush is running');
    expect(await stepsDone()).toBe('1 of 6 done');

    await person.press('Send');
    await person.page.getByText('Look whether it arrives.').waitFor();
    expect(server.received.map(({ recipients }) => recipients)).toEqual([['anna@example.org']]);
    expect(await stepsDone()).toBe('2 of 6 done');

    await addApp(person);
    await person.visit('/admin/first_steps');
    expect(await stepsDone()).toBe('3 of 6 done');
    await running.app.get(UsersService).create({ email: 'bob@example.org', password: PASSWORD });
    await person.press('Already set up');
    await person.page.getByText('Keep the master key apart from it.').waitFor();
    expect(await stepsDone()).toBe('5 of 6 done');

    await person.press('Hide these steps');
    await person.waitForHeading('Administration');
    await person.visit('/admin/first_steps');
    await person.waitForHeading('Administration');
  });
});
