import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { PLAIN_HOST } from './support/browser.js';
import type { Person } from './support/person.js';
import { readQrImage } from './support/qr-image.js';
import { startSite } from './support/site.js';

const SHARE = `Navigator.prototype.share = (data) => {
  window.shared = data;
  return Promise.reject(new DOMException('closed', 'AbortError'));
};`;
const NO_COPYING = `Document.prototype.execCommand = () => false;`;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';

async function makeLink(person: Person): Promise<string> {
  await person.visit('/');
  await person.fill({ Secret: 'correct horse', Passphrase: 'sesame' });
  return person.createLink();
}

describe('A link', () => {
  const { running, person, meet } = startSite();

  it('is shared by the menu of the system, where there is one, with nothing else', async () => {
    await makeLink(person);
    expect(await person.page.locator('[data-share]').isVisible()).toBe(false);
    await person.page.addInitScript(SHARE);
    const link = await makeLink(person);

    await person.press('Share');

    expect(await person.page.evaluate('window.shared')).toEqual({ url: link });
  });

  it('is sent by email without the passphrase', async () => {
    const link = await makeLink(person);

    const mail = new URL((await person.page.getByText('Email').getAttribute('href')) ?? '');

    expect(mail.protocol).toBe('mailto:');
    expect(mail.searchParams.get('body')).toContain(link);
    expect(decodeURIComponent(mail.href)).not.toMatch(/sesame|horse/);
  });

  it('has a QR code that is saved as an image', async () => {
    const link = await makeLink(person);
    const coming = person.page.waitForEvent('download');
    await person.page.locator('summary', { hasText: 'QR code' }).click();
    await person.press('Save QR code');
    const download = await coming;
    const image = await readFile(await download.path());

    expect(download.suggestedFilename()).toBe('qr-code.png');
    expect(await readQrImage(person.page, `data:image/png;base64,${image.toString('base64')}`)).toBe(link);
  });

  it('is asked to be copied until it has been, also after a reload', async () => {
    await makeLink(person);
    const now = person.page.getByText('Copy it now:');
    expect(await now.isVisible()).toBe(true);
    await person.press('Copy link');
    await now.waitFor({ state: 'detached' });
    await person.page.reload();
    await person.page.getByText('The link is shown only in this tab.', { exact: true }).waitFor();

    expect(await now.count()).toBe(0);
  });

  describe('on a site without TLS', () => {
    const visitor = (options?: BrowserContextOptions) =>
      meet(options, running.url.replace('127.0.0.1', PLAIN_HOST));

    it('is copied', async () => {
      const sender = await visitor();
      const link = await makeLink(sender);
      await sender.press('Copy link');
      await sender.page.getByRole('status').getByText('Copied').waitFor();

      await sender.visit('/');
      await sender.page.locator('#payload').focus();
      await sender.page.keyboard.press('ControlOrMeta+v');

      expect(await sender.page.locator('#payload').inputValue()).toBe(link);
    });

    it.each<[string, BrowserContextOptions]>([
      ['Press Ctrl+C', {}],
      ['Press ⌘C', { userAgent: MAC }],
      ['Press and hold to copy', { hasTouch: true, isMobile: true }],
    ])('is selected where it cannot be copied, with the advice: %s', async (advice, options) => {
      const sender = await visitor(options);
      await sender.page.addInitScript(NO_COPYING);
      const link = await makeLink(sender);

      await sender.press('Copy link');
      await sender.page.getByRole('status').getByText(advice).waitFor();

      expect(await sender.page.evaluate('getSelection().toString()')).toBe(link);
      expect(await sender.page.locator('#link:focus').count()).toBe(1);
    });
  });
});
