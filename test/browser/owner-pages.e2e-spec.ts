import { clientEncryptedPush } from '../support/age-files.js';
import type { Client } from '../support/client.js';
import { insertPushes } from '../support/insert-pushes.js';
import { PASSWORD } from '../support/page-client.js';
import { startSite } from './support/site.js';

describe.each([
  { javaScriptEnabled: true, width: 360 },
  { javaScriptEnabled: false, width: 1280 },
])('An owner with $javaScriptEnabled for scripts at $width px', ({ javaScriptEnabled, width }) => {
  const {
    running,
    person: owner,
    signIn,
  } = startSite({
    browser: {
      javaScriptEnabled,
      viewport: { width, height: 700 },
      permissions: ['clipboard-read', 'clipboard-write'],
    },
  });
  let id: string;
  let api: Client;

  beforeEach(async () => ({ id, client: api } = await signIn()));

  /** Creates pushes with these names, and visits the list. */
  async function share(...names: string[]): Promise<void> {
    for (const name of names) await api.push({ payload: 'correct horse', name });
    await owner.visit('/pushes');
  }
  const rows = () => owner.page.locator('.rows .name').allTextContents();
  const select = (name: string) => owner.page.getByLabel(`Select ${name}`, { exact: true }).check();

  it('selects several secrets, is asked, and deletes them once, however often the page is reloaded', async () => {
    await share('tulip', 'rose', 'daisy');
    const button = owner.page.getByRole('button', { name: 'Delete selected' });
    expect(await button.isVisible()).toBe(!javaScriptEnabled);

    await select('tulip');
    await select('daisy');
    if (javaScriptEnabled) {
      expect(await owner.page.locator('.selection output').textContent()).toBe('2 selected');
      expect(await button.isVisible()).toBe(true);
    }
    await button.click();
    await owner.waitForHeading('Delete 2 secrets?');
    await owner.page.getByRole('button', { name: 'Cancel' }).click();
    await owner.waitForHeading('Your secrets');
    expect(await rows()).toEqual(['daisy', 'rose', 'tulip']);

    await select('tulip');
    await select('daisy');
    await button.click();
    await owner.press('Delete permanently');
    await owner.page.getByText('2 secrets deleted.').waitFor();
    await owner.page.reload();

    expect(await rows()).toEqual(['rose']);
    expect(await owner.page.getByRole('link', { name: 'Expired (2)' }).isVisible()).toBe(true);
  });

  if (javaScriptEnabled)
    it('selects all secrets of the list, and none', async () => {
      await share('tulip', 'rose', 'daisy');
      const all = owner.page.getByLabel('Select all', { exact: true });
      const counted = () => owner.page.locator('.selection output').textContent();
      const isMixed = () => all.evaluate((box: any) => box.indeterminate);

      await all.check();
      expect(await counted()).toBe('3 selected');
      await owner.page.getByLabel('Select rose', { exact: true }).uncheck();
      expect([await all.isChecked(), await isMixed(), await counted()]).toEqual([false, true, '2 selected']);
      await select('rose');
      expect([await all.isChecked(), await isMixed()]).toEqual([true, false]);
      await all.uncheck();
      expect(await owner.page.getByRole('button', { name: 'Delete selected' }).isVisible()).toBe(false);
    });
  else
    it('is offered no choice of all, which a script makes', async () => {
      await share('tulip');
      expect(await owner.page.getByLabel('Select all').isVisible()).toBe(false);
    });

  it('finds a secret in any state by name, deletes it, and returns to what was searched', async () => {
    await share('tulip', 'red tulip', 'rose');
    await owner.page.getByRole('searchbox').fill('TULIP');
    await owner.press('Search');
    expect(await rows()).toEqual(['red tulip', 'tulip']);

    await owner.press('Delete red tulip');
    await owner.waitForHeading('Delete this secret?');
    await owner.press('Delete permanently');

    await owner.page.getByText('1 secret deleted.').waitFor();
    expect(await rows()).toEqual(['red tulip', 'tulip']);
    expect(await owner.page.getByRole('searchbox').inputValue()).toBe('TULIP');
    expect(owner.page.url()).not.toMatch(/tulip/i);
    await owner.page.getByRole('link', { name: 'Clear search' }).click();
    expect(await rows()).toEqual(['rose', 'tulip']);
  });

  it('searches older secrets on, until the first', async () => {
    await share('tulip', 'rose');
    await insertPushes(running, 4, {
      batch: `a${id.slice(-12)}`,
      expiresAt: "'2096-01-01 00:00:00.000'",
      userId: id,
    });
    await owner.page.getByRole('searchbox').fill('tulip');
    await owner.press('Search');
    for (const link = owner.page.getByRole('link', { name: 'Search older ones' }); await link.isVisible();) {
      expect(await rows()).toEqual([]);
      await link.click();
      await owner.page.getByText('Newer secrets are not in this part of your list.').waitFor();
    }

    expect(await rows()).toEqual(['tulip']);
    expect(await owner.page.getByRole('searchbox').inputValue()).toBe('tulip');
    expect(owner.page.url()).not.toContain('tulip');
    await owner.page.getByRole('link', { name: 'Search from the newest' }).click();
    await owner.page.getByText('Searched back to').waitFor();
  });

  if (width > 1000)
    it('sees rows of one height, whatever is in them', async () => {
      await api.push({ payload: 'x' });
      await api.push({ payload: 'x', name: 'A very long name of a secret, '.repeat(8) });
      const { url_token } = await api.push({ payload: 'x', name: 'tulip' });
      await running.anonymous.retrieve(url_token as string);
      await api.push({ ...clientEncryptedPush(), name: 'rose' });
      await owner.visit('/pushes');

      const heights = await owner.page
        .locator('.rows > li')
        .evaluateAll((rows: any[]) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
      expect(heights).toHaveLength(4);
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1); // the border between them
    });

  it('makes one token, however often the page with it is reloaded', async () => {
    await owner.visit('/users/token');
    await owner.fill({ Name: 'deploy script' });
    await owner.press('Create token');
    const token = await owner.page.locator('#new-token').inputValue();

    await owner.page.reload();

    await owner.page.getByText('no other was created').waitFor();
    expect(await owner.page.locator('#new-token').count()).toBe(0);
    const rows = owner.page.locator('.listing tbody tr', { hasText: 'deploy script' });
    expect(await rows.locator('code').allTextContents()).toEqual([`${token.slice(0, 6)}…`]);
  });

  it('sees the error of a wrong password at the form where it was typed, and the cursor there', async () => {
    await owner.visit('/users/edit');
    await owner.page.locator('summary', { hasText: 'Delete account' }).click();
    await owner.page.locator('#delete-password').fill('wrong');
    await owner.press('Delete permanently');

    const error = owner.page.locator('#delete-password-error');
    await error.waitFor();
    expect(await error.textContent()).toBe('This is not your current password.');
    await expectInView('#delete-password');
    expect(await owner.page.locator('#delete-password:focus').count()).toBe(1);
  });

  it('changes the password, which is shown or typed twice', async () => {
    await owner.visit('/users/edit');
    const password = 'nine tall blue mountains';
    const field = owner.page.locator('#new_password');
    await owner.page.locator('#password-password').fill(PASSWORD);
    await field.fill(password);
    if (javaScriptEnabled) {
      expect(await owner.page.getByLabel('Repeat password').count()).toBe(0);
      for (const type of ['password', 'text']) {
        expect(await field.getAttribute('type')).toBe(type);
        await owner.press(type === 'password' ? 'Show password' : 'Hide password');
      }
    } else {
      await owner.page.getByLabel('Repeat password').fill(password);
    }
    await owner.press('Change password');

    await owner.page.getByText('Your password was changed.').waitFor();
  });

  it('reads in words who opened a secret', async () => {
    await share('tulip');
    await owner.page.locator('.rows .name').click();
    await owner.page.getByRole('heading', { name: 'tulip' }).waitFor();

    expect(await owner.page.locator('.event').allTextContents()).toEqual(['Created']);
    expect(await owner.page.locator('main').innerText()).toContain('Not opened');
    expect(await owner.page.locator('.events').innerText()).toMatch(/\bnode\b/); // a program created it
  });

  if (javaScriptEnabled)
    it('copies the whole link of a secret in the list', async () => {
      await share('tulip');

      await owner.press('Copy link');
      await owner.page.getByText('Copied').first().waitFor();

      const link = await owner.page.evaluate<string>('navigator.clipboard.readText()');
      await owner.openLink(link);
      expect(link).toMatch(/\/p\/[\w-]{43}$/);
      await owner.waitForHeading('Here is the secret');
    });

  async function expectInView(selector: string): Promise<void> {
    const box = await owner.page.locator(selector).boundingBox();
    expect(box && box.y >= 0 && box.y + box.height <= 700).toBe(true);
  }
});
