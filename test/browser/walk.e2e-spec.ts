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
    const ended = javaScriptEnabled ? 'You have already opened this secret' : 'This secret is gone';

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
      return person.createLink();
    }

    /** Opens a link to a push without a passphrase. Those made on our pages wait for a click. */
    async function open(person: Person, link: string, needsClick = true, what = 'secret'): Promise<void> {
      await person.openLink(link);
      if (needsClick) {
        await person.waitForHeading(`Someone sent you a ${what}`);
        await person.press('Open');
      }
      await person.waitForHeading(`Here is the ${what}`);
    }

    const secretOn = ({ page }: Person) => page.locator('#secret').textContent();

    it('creates an account and a token that curl can use', async () => {
      await owner.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
      await owner.openMenu();
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
      expect(await owner.page.getByRole('table').textContent()).toContain('from curl');
    });

    it.each(KINDS)('shares a secret of kind $kind with an anonymous recipient', async ({ kind, payload }) => {
      const link = await make(owner, kind, { Secret: payload });

      await open(stranger, link);

      expect(await secretOn(stranger)).toBe(payload);
      expect(await stranger.page.locator('#secret').isVisible()).toBe(true);
      if (kind === 'QR code') expect(await stranger.page.locator('main svg.qr').count()).toBe(1);
      if (kind === 'Link') {
        const button = stranger.page.getByRole('link', { name: 'Open web address' });
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
      await owner.createLink();

      await open(stranger, await owner.page.locator('#link').inputValue(), true, 'file');
      const coming = stranger.page.waitForEvent('download');
      await stranger.page.getByRole('link', { name: 'minutes.txt' }).click();
      const content = await (await coming).createReadStream();

      expect(Buffer.concat(await content.toArray()).equals(buffer)).toBe(true);
    });

    it('opens with the right passphrase, until the last view', async () => {
      const link = await make(owner, 'Text', {
        Secret: 'correct horse',
        Passphrase: 'sesame',
        Views: '1 view',
      });

      await stranger.visit(link);
      await stranger.fill({ Passphrase: 'open up' });
      await stranger.press('Open');
      await stranger.page.getByText('The passphrase is wrong.').waitFor();
      await stranger.fill({ Passphrase: 'sesame' });
      await stranger.showSecret();

      expect(await secretOn(stranger)).toBe('correct horse');
      expect(await stranger.page.locator('main').innerText()).toContain('That was the last view.');
      await stranger.visit(link);
      expect(await stranger.heading()).toBe(ended);
    });

    it('lets a viewer delete a push, and shows its events to the owner', async () => {
      await signIn();
      const link = await make(owner, 'Text', { Secret: 'correct horse' }, ['Recipients can delete it']);
      const audit = `${new URL(link).pathname.replace(/\/r$/, '')}/audit`;

      await open(stranger, link);
      await stranger.page.getByText('Delete this secret…').click();
      await stranger.press('Delete permanently');
      await stranger.waitForHeading('Secret deleted');
      await stranger.visit(link);
      expect(await stranger.heading()).toBe(javaScriptEnabled ? 'Secret deleted' : ended);

      await owner.visit(audit);
      expect(await owner.page.locator('main li strong').allTextContents()).toEqual([
        'Link used after it expired',
        'Deleted',
        'Opened',
        'Created',
      ]);
    });
  },
);
