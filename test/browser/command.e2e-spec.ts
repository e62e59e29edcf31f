import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIB } from '../../src/platform/settings/units.js';
import { printedBy, sealpushOf } from '../client/support/sealpush.js';
import { makeFolder } from '../support/folder.js';
import { forEachTest } from '../support/for-tests.js';
import { startSite } from './support/site.js';

const TEXT = 'correct horse\nGrüße \u{1f40e}';
const PASSPHRASE = 'schöne Grüße, 한국';

describe('The pages and the command', () => {
  const site = startSite({
    settings: { ENABLE_REQUESTS_API: 'true', FILES_REQUIRE_AUTHENTICATION: 'false' },
  });
  const { running, person } = site;
  const folder = forEachTest(makeFolder);
  let env: Record<string, string>;

  beforeEach(async () => {
    env = { SEALPUSH_URL: running.url };
    await person.context.addInitScript('delete window.showSaveFilePicker'); // files are offered as downloads
  });

  const sealpush = sealpushOf(
    () => folder.path,
    () => env,
  );
  const shown = () => person.page.locator('#secret').textContent();

  /** The file that a link on the page downloads. */
  async function downloaded(name: string): Promise<Buffer> {
    const link = person.page.getByRole('link', { name: `Download ${name}`, exact: true });
    const [download] = await Promise.all([person.page.waitForEvent('download'), link.click()]);
    return readFileSync(await download.path());
  }

  it('share a text with a passphrase, from the page to the command', async () => {
    await person.visit('/');
    await person.fill({ Secret: TEXT, Passphrase: PASSPHRASE });
    const link = await person.createLink();

    expect(link).toMatch(/#2[\w-]{43}$/);
    expect((await sealpush(['open', link], '', { SEALPUSH_PASSPHRASE: 'wrong' })).code).toBe(5);
    const decomposed = { SEALPUSH_PASSPHRASE: PASSPHRASE.normalize('NFD') };
    expect(printedBy(await sealpush(['open', link], '', decomposed))).toBe(TEXT);
  });

  it('share files and a text, from the page to the command', async () => {
    const files = ['Grüße.txt', 'b.bin'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: randomBytes(200_000),
    }));
    await person.visit('/');
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await person.page.locator('input[type=file]').setInputFiles(files);
    await person.page.locator('#payload').fill(TEXT);
    const link = await person.createLink();

    expect(link).toMatch(/#1[\w-]{43}$/);
    expect(printedBy(await sealpush(['open', link, '-o', folder.path]))).toBe(TEXT);
    for (const { name, buffer } of files)
      expect(readFileSync(join(folder.path, name)).equals(buffer)).toBe(true);
  });

  it('share a text with a passphrase, from the command to the page', async () => {
    const link = printedBy(
      await sealpush(['push', '--passphrase'], TEXT, { SEALPUSH_PASSPHRASE: PASSPHRASE }),
    );
    await person.visit(link);
    await person.fill({ Passphrase: PASSPHRASE });
    await person.showSecret();

    expect(await shown()).toBe(TEXT);
  });

  it.each([
    ['small', 200_000],
    ['in parts', 9 * MIB],
  ])('share a file, %s, from the command to the page', async (_how, size) => {
    const content = randomBytes(size);
    const path = folder.file(content, 'Grüße.bin');
    const link = printedBy(await sealpush(['push', '--file', path], 'as you asked'));
    await person.showSecret(link);

    expect(await shown()).toBe('as you asked');
    expect((await downloaded('Grüße.bin')).equals(content)).toBe(true);
  });

  it('answer a request of the page by the command', async () => {
    await site.signIn();
    await person.visit('/requests/new');
    await person.fill({ 'What do you need, and what for?': 'The password of the shop, please' });
    const link = await person.createLink();
    const path = folder.file('red', 'tulip.txt');
    printedBy(await sealpush(['answer', link, '--file', path], TEXT));
    await person.visit('/requests');
    await person.page.getByRole('link', { name: 'The password of the shop, please' }).click();
    await person.page.getByRole('link', { name: 'Open', exact: true }).click();
    await person.page.locator('#secret').waitFor();

    expect(await shown()).toBe(TEXT);
    expect((await downloaded('tulip.txt')).toString()).toBe('red');
  });

  it('answer a request of the command on the page', async () => {
    const owner = await running.newUser();
    env = { ...env, SEALPUSH_TOKEN: owner.token };
    const link = printedBy(await sealpush(['ask', 'The password of the shop']));
    await person.visit(link);
    await person.page.getByText('The password of the shop').waitFor();
    await person.fill({ 'Your answer': TEXT });
    await person.press('Send');
    await person.waitForHeading('Sent');

    expect(printedBy(await sealpush(['answers', link]))).toBe(TEXT);
  });
});
