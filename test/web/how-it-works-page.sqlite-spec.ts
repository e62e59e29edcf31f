import { readFileSync } from 'node:fs';
import { forThisTest } from '../support/for-tests.js';
import { asData, PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('The page "How it works"', () => {
  const start = (env: Record<string, string>) => forThisTest(startApp(env));
  const pageOf = async ({ url }: RunningApp) => (await new PageClient(url).get('/how-it-works')).body;

  it('is linked from every page, and says who runs which version', async () => {
    const running = await start({ OPERATOR_NAME: 'Example <Ltd>', OPERATOR_CONTACT: 'help@example.org' });
    const page = await pageOf(running);

    expect(page).toContain(`Run by ${asData('Example &lt;Ltd>')}`);
    expect(page).toContain('href="mailto:help@example.org"');
    expect(page).toContain(`Sealpush version ${version}`);
    for (const path of ['/', '/nowhere', '/api/docs'])
      expect((await new PageClient(running.url).get(path)).body).toContain('href="/how-it-works"');
  });

  it.each([
    ['default', 'Your browser encrypts the secret', 'You can also have this server encrypt.'],
    ['required', 'Your browser encrypts the secret', undefined],
    ['offered', 'You enter the secret', 'You can also encrypt in your browser.'],
    ['off', 'You enter the secret', undefined],
  ])(
    'begins with three steps of the mode that END_TO_END=%s makes the usual one',
    async (mode, first, other) => {
      const page = await pageOf(await start({ END_TO_END: mode }));
      const headings = [...page.matchAll(/<h[23][^>]*>([^<]+)</g)].map(([, heading]) => heading);
      const [steps = ''] = /<ol [^>]*>.*?<\/ol>/s.exec(page) ?? [];
      const others = ['You can also have this server encrypt.', 'You can also encrypt in your browser.'];

      expect(headings.slice(0, 2)).toEqual(['In three steps', 'Who can see what']);
      expect(headings.slice(2, 5)).toEqual(
        first.startsWith('Your browser')
          ? ['End-to-end encrypted secrets', 'Secrets that this server encrypts', 'All secrets']
          : ['Secrets that this server encrypts', 'End-to-end encrypted secrets', 'All secrets'],
      );
      expect(steps.match(/<li>/g)).toHaveLength(3);
      expect(steps.match(/<svg[^>]* aria-hidden="true"/g)).toHaveLength(3);
      expect(/<strong>([^<]+)/.exec(steps)?.[1]).toBe(first);
      expect(others.filter((text) => page.includes(text))).toEqual(other === undefined ? [] : [other]);
      expect(page).not.toMatch(/ style=/);
    },
  );

  it('says what the settings of the installation make of it', async () => {
    const page = await pageOf(await start({}));
    expect(page).toContain('Your own views count, too.');
    expect(page).toContain('with name, note and activity until the account is deleted');
    expect(page).not.toContain('Run by');
    expect(page).toContain('An operator could send another one');

    const other = await pageOf(await start({ OWNER_VIEWS_COUNT: 'false', RETENTION_DAYS: '30' }));
    expect(other).toContain('Your own views do not count');
    expect(other).toContain('and activity for 30 days');
  });
});
