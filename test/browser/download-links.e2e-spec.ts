import { pushFiles } from '../support/files.js';
import { startSite } from './support/site.js';
import { MINUTE_MS } from '../../src/platform/settings/units.js';

const EXPIRED = 'The download links have expired.';
const FILES = ['minutes.txt', 'figures.ods'].map((name) => ({ name, content: Buffer.alloc(700_000, name) }));

describe('Download links on the page of a secret', () => {
  const { running, person, meet } = startSite({
    settings: { FILES_REQUIRE_AUTHENTICATION: 'false' },
    expected: /^Failed to load resource/,
  });

  beforeEach(() => person.page.clock.install());

  const links = () => person.page.locator('main a[href*="/files/"]');
  const error = () => person.page.locator('#links-error');
  const expired = () => person.page.getByRole('alert').getByText(EXPIRED);
  const main = () => person.page.locator('main').innerText();

  async function open(fields: Record<string, string> = {}, files = FILES): Promise<any> {
    const push = await pushFiles(running.anonymous, files, fields);
    await person.openLink(push.html_url as string);
    if (fields.passphrase !== undefined) {
      await person.fill({ Passphrase: fields.passphrase });
      await person.press('Open');
    }
    await person.waitForHeading(files.length > 1 ? 'Here are the files' : 'Here is the file');
    return push;
  }

  async function downloadBy(name: string): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([
      person.page.waitForEvent('download'),
      person.page.getByRole('link', { name }).click(),
    ]);
    const content = await (await download.createReadStream()).toArray();
    return { name: download.suggestedFilename(), bytes: Buffer.concat(content) };
  }

  it('give each file and all of them, with their sizes', async () => {
    await open();

    expect(await main()).toMatch(
      /minutes\.txt\s+683\.6\u00a0kB[^]*figures\.ods\s+683\.6\u00a0kB[^]*Download all \(zip, 1\.3\u00a0MB\)/,
    );
    expect((await downloadBy('figures.ods')).bytes).toEqual(FILES[1]?.content);
    const archive = await downloadBy('Download all');
    expect(archive.name).toBe('files.zip');
    expect(archive.bytes.subarray(0, 2).toString()).toBe('PK');
    expect(await person.heading()).toBe('Here are the files');
  });

  it('have no archive for a single file', async () => {
    await open({}, FILES.slice(0, 1));

    expect(await links().count()).toBe(1);
  });

  it('say that they have expired after ten minutes, and can be renewed by another view', async () => {
    await open({ expire_after_views: '2' });
    const [old] = await links().evaluateAll((all: any[]) => all.map(({ href }) => String(href)));
    await person.page.clock.fastForward(9 * MINUTE_MS);
    expect(await links().count()).toBe(3);
    expect(await expired().isVisible()).toBe(false);
    expect(await main()).toContain('Download within 10 minutes.');

    await person.page.clock.fastForward(MINUTE_MS);
    await expired().waitFor();
    expect(await links().count()).toBe(0);
    expect(await person.page.locator('a[aria-disabled="true"]').count()).toBe(3);
    expect(await main()).not.toContain('Download within 10 minutes.');
    await person.press('Open again (uses 1 view)');
    await links().first().waitFor();

    expect(await main()).toContain('That was the last view.');
    expect(await expired().isVisible()).toBe(false);
    expect(await links().first().getAttribute('href')).not.toBe(old);
  });

  it('ask for the passphrase again', async () => {
    await open({ passphrase: 'sesame' });
    await person.page.clock.fastForward(10 * MINUTE_MS);
    await expired().waitFor();

    await person.fill({ Passphrase: 'wrong' });
    await person.press('Open again (uses 1 view)');
    await person.page.getByText('The passphrase is wrong.').waitFor();
    expect(await person.page.getByText('minutes.txt').first().isVisible()).toBe(true);
    await person.fill({ Passphrase: 'sesame' });
    await person.press('Open again (uses 1 view)');
    await links().first().waitFor();

    expect(await links().count()).toBe(3);
  });

  it('say after the last view how long they work, and then not to ask for another link', async () => {
    await open({ expire_after_views: '1' });
    expect(await main()).toContain('Download within 10 minutes, then the files are deleted.');

    await person.page.clock.fastForward(10 * MINUTE_MS);
    await expired().waitFor();

    expect(await main()).toContain('That was the last view: there are no new download links.');
    expect(await main()).not.toContain('Download within 10 minutes');
    expect(await main()).not.toContain('new link');
    expect(await person.page.getByRole('button', { name: /^Open again/ }).count()).toBe(0);
  });

  it('do not expire early or late for a reader whose clock is wrong', async () => {
    await person.page.clock.setSystemTime(new Date(Date.now() - 400 * MINUTE_MS));
    await open();

    await person.page.clock.fastForward(9 * MINUTE_MS);
    expect(await links().count()).toBe(3);
    await person.page.clock.fastForward(MINUTE_MS);

    await expired().waitFor();
  });

  it('say that they have expired when a device wakes up', async () => {
    await open();
    const later = await person.page.evaluate('Date.now()');
    await person.page.clock.setSystemTime(Number(later) + 11 * MINUTE_MS); // no timer runs

    await person.page.evaluate(`dispatchEvent(new Event('focus'))`);

    await expired().waitFor();
  });

  it('keep the page of the secret when someone has deleted it in the meantime', async () => {
    const { url_token } = await open({ deletable_by_viewer: 'true', payload: 'correct horse' });
    await running.anonymous.delete(`/api/v2/pushes/${url_token}`);

    await person.page.getByRole('link', { name: 'minutes.txt' }).click();
    await expired().waitFor();

    expect(await person.page.locator('#secret').textContent()).toBe('correct horse');
  });

  it('keep the page of the secret when they expire before a download has started', async () => {
    await open();
    let answer = () => {};
    await person.page.route('**/files/**', (route) => {
      answer = () => void route.continue();
    });
    const asked = person.page.waitForRequest('**/files/**');
    await links().first().click();
    await asked;
    await person.page.clock.fastForward(10 * MINUTE_MS);
    await expired().waitFor();
    const answered = person.page.waitForResponse('**/files/**');
    answer();
    await answered;

    await person.page.evaluate('Promise.resolve()');
    expect(await person.heading()).toBe('Here are the files');
    expect(await expired().isVisible()).toBe(true);
  });

  it('keep the page of the secret when a download cannot be started', async () => {
    await open();
    await person.context.setOffline(true);

    await person.page.getByRole('link', { name: 'minutes.txt' }).click();
    await error().getByText('The download could not be started.').waitFor();

    await person.context.setOffline(false);
    expect((await downloadBy('minutes.txt')).bytes).toEqual(FILES[0]?.content);
  });

  it('lead without script to a page that says that they have expired', async () => {
    const reader = await meet({ javaScriptEnabled: false });
    const { html_url, url_token } = await pushFiles(running.anonymous, FILES, { deletable_by_viewer: '1' });
    await reader.visit(html_url as string);
    await reader.press('Open');
    await reader.waitForHeading('Here are the files');
    await running.anonymous.delete(`/api/v2/pushes/${url_token}`);

    for (const name of ['minutes.txt', 'Download all']) {
      const href = await reader.page.getByRole('link', { name }).getAttribute('href');
      const page = await reader.context.newPage();
      await page.goto(href ?? '');
      expect(await page.locator('h1').textContent()).toBe('This download link has expired');
    }
    await reader.page.getByRole('link', { name: 'minutes.txt' }).click();
    await reader.waitForHeading('This download link has expired');

    expect(await reader.page.locator('header a').count()).toBe(0);
  });
});
