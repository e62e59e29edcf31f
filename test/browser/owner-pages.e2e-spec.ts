import { clientEncryptedPush } from '../support/age-files.js';
import type { Client } from '../support/client.js';
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
  let api: Client;

  beforeEach(async () => ({ client: api } = await signIn()));

  /** Creates pushes with these names, and visits the list. */
  async function share(...names: string[]): Promise<void> {
    for (const name of names) await api.push({ payload: 'correct horse', name });
    await owner.visit('/pushes');
  }
  /** The names in the list. */
  const rows = () => owner.page.getByRole('rowheader').getByRole('link').allTextContents();
  const select = (name: string) => owner.page.getByLabel(`Select ${name}`, { exact: true }).check();
  const selected = () => owner.page.getByRole('form', { name: 'Selected' });
  const deletion = () => selected().getByRole('button', { name: 'Delete…' });
  /** What can be done with a secret of the list. */
  const menuOf = async (name: string) => {
    await owner.page.locator(`summary[aria-label="More for ${name}"]`).click();
    return owner.page.getByRole('row').filter({ has: owner.page.getByRole('link', { name, exact: true }) });
  };

  it('selects several secrets, is asked, and deletes them once, however often the page is reloaded', async () => {
    await share('tulip', 'rose', 'daisy');
    expect(await deletion().isVisible()).toBe(false);

    await select('tulip');
    await select('daisy');
    expect(await deletion().isVisible()).toBe(true);
    expect(await selected().getByRole('status').textContent()).toBe(javaScriptEnabled ? '2 selected' : '');
    await deletion().click();
    await owner.waitForHeading('Delete 2 secrets?');
    await owner.page.getByRole('link', { name: 'Cancel' }).click();
    await owner.waitForHeading('Your secrets');
    expect(await rows()).toEqual(['daisy', 'rose', 'tulip']);

    await select('tulip');
    await select('daisy');
    await deletion().click();
    await owner.press('Delete permanently');
    await owner.page.getByText('2 secrets deleted.').waitFor();
    await owner.page.reload();

    expect(await rows()).toEqual(['rose']);
    expect(await owner.page.getByRole('link', { name: 'Ended 2' }).isVisible()).toBe(true);
  });

  it('selects none again', async () => {
    await share('tulip', 'rose');
    await select('tulip');
    await selected().getByRole('button', { name: 'Select none' }).click();

    await deletion().waitFor({ state: 'hidden' });
    expect(await owner.page.getByLabel('Select tulip').isChecked()).toBe(false);
  });

  if (javaScriptEnabled)
    it('selects all secrets of the list, and none', async () => {
      await share('tulip', 'rose', 'daisy');
      await select('tulip'); // on a narrow screen the box for all comes with this
      const all = owner.page.getByLabel('Select all', { exact: true }).filter({ visible: true });
      const counted = () => selected().getByRole('status').textContent();
      const isMixed = () => all.evaluate((box: any) => box.indeterminate);

      expect([await isMixed(), await counted()]).toEqual([true, '1 selected']);
      await all.check();
      expect(await counted()).toBe('3 selected');
      await owner.page.getByLabel('Select rose', { exact: true }).uncheck();
      expect([await all.isChecked(), await isMixed(), await counted()]).toEqual([false, true, '2 selected']);
      await select('rose');
      expect([await all.isChecked(), await isMixed()]).toEqual([true, false]);
      await all.uncheck();
      expect(await deletion().isVisible()).toBe(false);
    });
  else
    it('is offered no choice of all, which a script makes', async () => {
      await share('tulip');
      await select('tulip');
      expect(await owner.page.getByLabel('Select all').filter({ visible: true }).count()).toBe(0);
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
        .locator('tbody tr')
        .evaluateAll((rows: any[]) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
      expect(heights).toHaveLength(4);
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1); // the border between them
    });

  it('sees the error of a wrong password at the form where it was typed, and the cursor there', async () => {
    await owner.visit('/users/edit');
    await owner.page.locator('summary', { hasText: 'Delete account' }).click();
    await owner.page.locator('#delete-password').fill('wrong');
    await owner.press('Delete permanently');

    const error = owner.page.locator('#delete-password-error');
    await error.waitFor();
    expect(await error.textContent()).toBe('Wrong password.');
    await expectInView('#delete-password');
    expect(await owner.page.locator('#delete-password:focus').count()).toBe(1);
  });

  it('changes the password, which is shown or typed twice', async () => {
    await owner.visit('/users/edit');
    const password = 'nine tall blue mountains';
    const field = owner.page.locator('#new_password');
    await (await owner.unfolded(owner.page.locator('#password-password'))).fill(PASSWORD);
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

  if (javaScriptEnabled)
    it('copies the whole link of a secret in the list', async () => {
      await share('tulip');

      await (await menuOf('tulip')).getByRole('button', { name: 'Copy link' }).click();
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
