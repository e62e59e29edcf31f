import { readFileSync } from 'node:fs';
import { PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('The page "How it works"', () => {
  let running: RunningApp;

  const pageOf = async (env: Record<string, string>) => {
    running = await startApp(env);
    return (await new PageClient(running.url).get('/how-it-works')).body;
  };
  afterEach(() => running.stop());

  it('is linked from every page, and says who runs which version', async () => {
    const page = await pageOf({ OPERATOR_NAME: 'Example <Ltd>', OPERATOR_CONTACT: 'help@example.org' });

    expect(page).toContain('Run by Example &lt;Ltd>');
    expect(page).toContain('href="mailto:help@example.org"');
    expect(page).toContain(`Sealpush version ${version}`);
    for (const path of ['/', '/nowhere', '/api/docs'])
      expect((await new PageClient(running.url).get(path)).body).toContain('href="/how-it-works"');
  });

  it('says what the settings of the installation make of it', async () => {
    const page = await pageOf({});
    expect(page).toContain('Your own views count, too.');
    expect(page).toContain('with name, note and activity until the account is deleted');
    expect(page).not.toContain('Run by');
    expect(page).toContain('An operator could send another one');
    await running.stop();

    const other = await pageOf({ OWNER_VIEWS_COUNT: 'false', RETENTION_DAYS: '30' });
    expect(other).toContain('Your own views do not count');
    expect(other).toContain('and activity for 30 days');
  });
});
