import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { PASSWORD } from '../support/page-client.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

const KINDS = [
  { kind: 'Text', payload: 'correct horse\nbattery staple' },
  { kind: 'Link', payload: 'https://example.org/?a=b&c=d' },
  { kind: 'QR code', payload: 'WIFI:S:guests;;' },
];

describe.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
  'A walk through the pages with $javaScriptEnabled for scripts',
  ({ javaScriptEnabled }) => {
    const {
      running,
      person: owner,
      meet,
      signIn,
    } = startSite({
      settings: { END_TO_END: 'off' },
      browser: { javaScriptEnabled },
    });
    let stranger: Person;
    /** To who has opened the link in this tab, as scripts know. */
    const ended = javaScriptEnabled
      ? 'You have already opened this secret'
      : 'This link has expired or does not exist';

    beforeEach(async () => (stranger = await meet({ javaScriptEnabled })));

    /** Creates a push on the front page and returns its link. */
    async function make(person: Person, kind: string, fields: Record<string, string>, ticks: string[] = []) {
      await person.visit('/');
      await person.page.getByRole('radio', { name: kind }).check();
      const { Secret, Views, ...others } = fields;
      if (Views !== undefined) await person.choose('Views', Views);
      if (Secret !== undefined) await person.page.locator('#payload').fill(Secret);
      await person.fill(others);
      for (const label of ticks) await (await person.box(label)).check();
      await person.press('Create link');
      await person.waitForHeading('Your link is ready');
      return person.page.locator('#link').inputValue();
    }

    /** Opens a link to a push without a passphrase. Those made on our pages wait for a click. */
    async function open(person: Person, link: string, needsClick = true): Promise<void> {
      await person.openLink(link);
      if (needsClick) {
        await person.waitForHeading('Someone sent you a secret');
        await person.press('Open');
      }
      await person.waitForHeading('Here is the secret');
    }

    const secretOn = ({ page }: Person) => page.locator('#secret').textContent();

    it('creates an account and a token that curl can use', async () => {
      await owner.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
      await owner.page.getByRole('link', { name: 'API tokens' }).click();
      await owner.fill({ Name: 'deploy script' });
      await owner.press('Create token');
      const token = await owner.page.locator('#new-token').inputValue();

      const { stdout } = await promisify(execFile)('curl', [
        ...['--silent', '--header', `Authorization: Bearer ${token}`],
        ...['--data-urlencode', 'push[payload]=correct horse', '--data-urlencode', 'push[name]=from curl'],
        `${running.url}/api/v2/pushes`,
      ]);

      await open(stranger, (JSON.parse(stdout) as { html_url: string }).html_url, !javaScriptEnabled);
      expect(await secretOn(stranger)).toBe('correct horse');
      await owner.visit('/pushes');
      expect(await owner.page.locator('.rows').textContent()).toContain('from curl');
    });

    it.each(KINDS)('shares a secret of kind $kind with an anonymous recipient', async ({ kind, payload }) => {
      const link = await make(owner, kind, { Secret: payload });

      await open(stranger, link);

      expect(await secretOn(stranger)).toBe(payload);
      expect(await stranger.page.locator('#secret').isVisible()).toBe(true);
      if (kind === 'QR code') expect(await stranger.page.locator('main svg').count()).toBe(1);
      if (kind === 'Link') {
        const button = stranger.page.getByRole('button', { name: 'Open web address' });
        expect(await button.getAttribute('href')).toBe(payload);
        expect(link.replace(/\/r$/, '')).toBe(stranger.page.url().replace(/\/r$/, ''));
      }
    });

    it('shares files with an anonymous recipient, who gets them unchanged', async () => {
      await signIn();
      await owner.visit('/');
      await owner.page.getByRole('radio', { name: 'Files' }).check();
      const buffer = Buffer.alloc(700_000, 'minutes ');
      await owner.page
        .locator('#files')
        .setInputFiles({ name: 'minutes.txt', mimeType: 'text/plain', buffer });
      await owner.press('Create link');
      await owner.waitForHeading('Your link is ready');

      await open(stranger, await owner.page.locator('#link').inputValue());
      const coming = stranger.page.waitForEvent('download');
      await stranger.page.getByRole('link', { name: 'minutes.txt' }).click();
      const content = await (await coming).createReadStream();

      expect(Buffer.concat(await content.toArray()).equals(buffer)).toBe(true);
    });

    it('opens with the right passphrase, until the last view', async () => {
      const link = await make(owner, 'Text', {
        Secret: 'correct horse',
        'Passphrase (optional)': 'sesame',
        Views: '1 view',
      });

      await stranger.visit(link);
      await stranger.fill({ Passphrase: 'open up' });
      await stranger.press('Open');
      await stranger.page.getByText('The passphrase is wrong.').waitFor();
      await stranger.fill({ Passphrase: 'sesame' });
      await stranger.press('Open');
      await stranger.waitForHeading('Here is the secret');

      expect(await secretOn(stranger)).toBe('correct horse');
      expect(await stranger.page.locator('.lede').textContent()).toContain('This was the last view');
      await stranger.visit(link);
      expect(await stranger.heading()).toBe(ended);
    });

    it('waits for a click unless the sender decides otherwise', async () => {
      const link = await make(owner, 'Text', { Secret: 'correct horse' });
      expect(link).toMatch(/\/r$/);

      await open(stranger, link, true);
      await open(owner, link.replace(/\/r$/, ''), true);

      await owner.visit('/');
      await owner.page.locator('#payload').fill('battery staple');
      await (await owner.box('Require a click to open')).uncheck();
      await owner.press('Create link');
      await owner.waitForHeading('Your link is ready');
      await open(stranger, await owner.page.locator('#link').inputValue(), !javaScriptEnabled);
    });

    it('lets a viewer delete a push, and shows its events to the owner', async () => {
      await signIn();
      const link = await make(owner, 'Text', { Secret: 'correct horse' }, [
        'Recipients can delete the secret',
      ]);
      const audit = `${new URL(link).pathname.replace(/\/r$/, '')}/audit`;

      await open(stranger, link);
      await stranger.page.getByText('Delete secret').click();
      await stranger.press('Delete permanently');
      await stranger.waitForHeading('Secret deleted');
      await stranger.visit(link);
      expect(await stranger.heading()).toBe(javaScriptEnabled ? 'Secret deleted' : ended);

      await owner.visit(audit);
      expect(await owner.page.locator('.event').allTextContents()).toEqual([
        'Created',
        'Opened',
        'Deleted',
        'Link used after it expired',
      ]);
    });

    it('signs out everywhere', async () => {
      const { email } = await signIn();
      await owner.visit('/pushes');
      await stranger.visit('/users/sign_in');
      await stranger.fill({ Email: email, Password: PASSWORD });
      await stranger.press('Sign in');
      await stranger.waitForHeading('Your secrets');

      await owner.page.getByRole('link', { name: 'Account' }).click();
      await owner.press('Sign out everywhere');
      await owner.waitForHeading('Sign in');

      await stranger.visit('/pushes');
      expect(await stranger.heading()).toBe('Sign in');
    });
  },
);
