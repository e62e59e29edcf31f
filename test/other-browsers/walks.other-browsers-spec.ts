import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIB } from '../../src/platform/settings/units.js';
import { readZip } from '../support/archives.js';
import { until } from '../support/daemon.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { PASSWORD } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';
import type { Browser } from './support/browser.js';
import { startFirefox } from './support/firefox.js';
import { Visitor } from './support/visitor.js';
import { startWebKit } from './support/webkit.js';

const { browser: name } = globalThis as unknown as { browser: 'firefox' | 'webkit' };
const start = { firefox: startFirefox, webkit: startWebKit }[name];

const ENCRYPTIONS = ['Encrypt in my browser', 'Encrypt on the server.'];
const TEXT = 'correct horse\nbattery staple: Grüße';
/** One is shorter than a chunk of the encryption, the other has several. */
const filesWith = (bytes: number) => ({
  'minutes.txt': Buffer.from('The minutes'),
  'Übersicht (1).bin': randomBytes(bytes),
});

describe('A walk through the pages', () => {
  const running = forAllTests(() => startApp({ FILES_REQUIRE_AUTHENTICATION: 'false' }));
  const folder = forEachTest(makeFolder);
  let browser: Browser;
  let downloads: string;
  let sender: Visitor;

  beforeEach(async () => {
    downloads = join(folder.path, 'downloads');
    await mkdir(downloads);
    browser = await start(downloads);
    sender = await meet();
  });
  afterEach(async () => {
    const errors = await browser.close();
    expect(errors).toEqual([]);
  });

  const meet = async () => new Visitor(await browser.open(), running.url);

  async function create(): Promise<string> {
    await sender.press('Create link');
    await sender.waitForHeading('Your link is ready');
    return sender.valueOf('link');
  }

  describe.each(ENCRYPTIONS)('with the choice "%s"', (encryption) => {
    it('shares a text with a passphrase', async () => {
      await sender.visit('/');
      await sender.press('Encrypted in your browser');
      await sender.choose(encryption);
      await sender.choose('Passphrase');
      await sender.fill({ Secret: TEXT, Passphrase: 'Grüße' });
      const link = await create();

      const recipient = await meet();
      await recipient.visit(link);
      await recipient.fill({ Passphrase: 'grüße' });
      await recipient.press('Open');
      await recipient.waitForText('The passphrase is wrong.');
      await recipient.fill({ Passphrase: 'Grüße' });
      await recipient.press('Open');
      await recipient.waitForHeading('Here is the secret');

      expect(await recipient.textOf('secret')).toBe(TEXT);
    });

    it.each([
      ['with the form', 200_000],
      ['in parts before it', 9 * MIB],
    ])('shares files that are sent %s, and saved whole under their names', async (_how, bytes) => {
      const files = filesWith(bytes);
      const paths = Object.keys(files).map((file) => join(folder.path, file));
      for (const [file, content] of Object.entries(files)) await writeFile(join(folder.path, file), content);
      await sender.visit('/');
      await sender.choose('Files');
      await sender.press('Encrypted in your browser');
      await sender.choose(encryption);
      await sender.chooseFiles(paths);
      const link = await create();

      const recipient = await meet();
      await recipient.visit(link);
      await recipient.press('Open');
      await recipient.waitForHeading('Here are the files');

      for (const [file, content] of Object.entries(files)) {
        await recipient.follow(file);
        await until(async () => (await readFile(join(downloads, file))).equals(content));
      }
      await recipient.follow('Download all');
      await until(async () => {
        const entries = await readZip(await readFile(join(downloads, 'files.zip')));
        return entries.map((entry) => entry.name).join() === Object.keys(files).join();
      });
    });
  });

  it('signs up and in, and shows the owner their secrets, of which they delete one', async () => {
    const fields = { Email: `${randomUUID()}@example.org`, Password: PASSWORD };
    await sender.visit('/users/sign_up');
    await sender.fill(fields);
    await sender.press('Create account');
    await sender.waitForHeading('Sign in');
    await sender.fill(fields);
    await sender.press('Sign in');
    await sender.waitForHeading('Your secrets');
    for (const Name of ['tulip', 'rose']) {
      await sender.visit('/');
      await sender.choose('Name');
      await sender.fill({ Name, Secret: TEXT });
      await create();
    }

    await sender.visit('/pushes');
    const before = await sender.textOf('main');
    await sender.press('More for tulip');
    await sender.press('Delete…');
    await sender.waitForHeading('Delete this secret?');
    await sender.press('Delete permanently');
    await sender.waitForText('1 secret deleted.');
    const after = await sender.textOf('main');
    await sender.press('Account menu');
    await sender.press('Sign out');
    await sender.waitForHeading('Sign in');

    expect(before).toMatch(/rose.*tulip/s);
    expect(after).toContain('rose');
    expect(after).not.toContain('tulip');
  });
});
