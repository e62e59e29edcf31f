import type { Page } from 'playwright-core';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { codeOf, offeredIn } from '../support/authenticator-app.js';
import { startSite } from './support/site.js';

const SECRETS = [
  'pass  with  two  blanks',
  '  leading and trailing  ',
  'key:\n  - a\n\t- b\t',
  '\n\nblank lines around\n\n\n',
  'lines of Windows\r\nand\r\n\r\nof old ones\rend\r\n',
  'e\u0301 \u00e9 \u00a0\u2009| \u2028 \u200b \ud83d\udc69\u200d\ud83d\udcbb \u05e9\u05dc\u05d5\u05dd \u200f\ufeff',
  '<b>&amp; "joe@example.org" \'</b>',
];

/** Why a page cannot write to the clipboard. */
const NO_CLIPBOARD = 'delete Navigator.prototype.clipboard'; // as without TLS
const REFUSED = `Clipboard.prototype.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))`;

describe('What is copied', () => {
  const { running, person, signIn } = startSite({
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  let reader: Page;

  beforeEach(async () => {
    reader = await person.context.newPage();
    await reader.goto(`${running.url}/up`);
  });

  /** What any program would paste. */
  async function clipboard(): Promise<string> {
    await reader.bringToFront();
    const copied = await reader.evaluate<string>('navigator.clipboard.readText()');
    await reader.evaluate(`navigator.clipboard.writeText('nothing was copied')`);
    await person.page.bringToFront();
    return copied;
  }

  async function open(payload: string): Promise<void> {
    const { html_url } = await running.anonymous.push({ payload, retrieval_step: true });
    await person.showSecret(html_url);
  }

  /** Presses the button that copies the element with this id. */
  async function copyOf(id: string): Promise<string> {
    const button = person.page.locator(`[data-copy="${id}"]`);
    const copied = button.evaluate(waitForCopy); // what is said of an earlier copy may still be shown
    await button.click();
    await copied;
    await person.page.getByRole('status').getByText('Copied').waitFor();
    return clipboard();
  }

  describe.each([
    ['by the browser', ''],
    ['without a clipboard', NO_CLIPBOARD],
    ['where the clipboard is refused', REFUSED],
  ])('%s', (_way, script) => {
    beforeEach(() => person.page.addInitScript(script));

    it.each(SECRETS)('is the secret, character by character: %j', async (payload) => {
      await open(payload);

      expect(await person.page.locator('#secret').textContent()).toBe(payload);
      expect(await copyOf('secret')).toBe(payload);
    });

    it('is the decrypted secret', async () => {
      const text = SECRETS.join('\r\n');
      const { link } = await pushEndToEnd(running.anonymous, { text });
      await person.visit(link);
      await person.press('Open');
      await person.page.locator('#secret').waitFor();

      expect(await copyOf('secret')).toBe(text);
    });

    it('is the link, the passphrase, the token and the recovery codes', async () => {
      await signIn();
      const passphrase = ' two  blanks ';
      await person.visit('/');
      await (await person.unfolded(person.page.locator('#passphrase'))).fill(passphrase);
      await person.page.locator('#payload').fill('correct horse');
      await person.createLink();
      const link = await copyOf('link');
      expect(link).toBe(await person.page.locator('#link').inputValue());
      expect(await copyOf('passphrase')).toBe(passphrase);

      await person.visit('/users/token');
      await person.fill({ Name: 'test' });
      await person.press('Create token');
      expect(await copyOf('new-token')).toBe(await person.page.locator('#new-token').inputValue());

      await person.visit('/users/second_factor');
      const { secret } = offeredIn(await person.page.content());
      await (await person.unfolded(person.page.locator('#new_code'))).fill(await codeOf(secret));
      await person.page.locator('form:has(#new_code) button').last().click();
      await person.page.locator('#codes').waitFor();
      expect(await copyOf('codes')).toBe(await person.page.locator('#codes').textContent());
    });
  });

  it('is the secret also when it is selected and copied by hand', async () => {
    await open(SECRETS.join('\r\n'));
    await person.page.evaluate(`getSelection().selectAllChildren(document.getElementById('secret'))`);
    await person.page.keyboard.press('Control+C');

    expect(await clipboard()).toBe(SECRETS.join('\r\n'));
  });

  it('is a part of the secret if only that is selected', async () => {
    await open('correct horse');
    await person.page.evaluate(
      `const text = document.getElementById('secret').firstChild; getSelection().setBaseAndExtent(text, 0, text, 7)`,
    );
    await person.page.keyboard.press('Control+C');

    expect(await clipboard()).toBe('correct');
  });

  it.each([
    ['refuses', 'document.execCommand = () => false'],
    ['does nothing and says it has', 'document.execCommand = () => true'],
  ])('is not said to be copied where the browser %s', async (_what, script) => {
    await person.page.addInitScript(`${NO_CLIPBOARD}; ${script}`);
    await open('correct horse');
    await person.press('Copy');

    await person.page.getByRole('status').getByText('Press Ctrl+C').waitFor();
    expect(await person.page.getByText('Copied').count()).toBe(0);
    await person.page.keyboard.press('Control+C');
    expect(await clipboard()).toBe('correct horse');
  });

  it('is what was received, whatever a program makes of the text of the page', async () => {
    await open('correct horse');
    await rewriteTexts(person.page);
    expect(await copyOf('secret')).toBe('correct horse');

    const { html_url } = await running.anonymous.push({ payload: 'x' });
    await person.visit(`${html_url.replace(/\/r$/, '')}/preview`);
    await rewriteTexts(person.page);
    expect(await copyOf('link')).toBe(html_url);
  });

  it('and shown is the secret behind a proxy that hides email addresses unless it is told not to', async () => {
    await person.page.route('**', async (route) => {
      const response = await route.fetch();
      const { 'content-type': type = '', 'cache-control': control = '' } = response.headers();
      if (!type.startsWith('text/html') || control.includes('no-transform'))
        return route.fulfill({ response });
      const body = (await response.text()).replace(
        /[\w.]+@[\w.]+/g,
        '<a href="/x">[email&#160;protected]</a>',
      );
      return route.fulfill({ response, body });
    });
    await open('joe@example.org');

    expect(await person.page.locator('#secret').textContent()).toBe('joe@example.org');
    expect(await copyOf('secret')).toBe('joe@example.org');
  });
});

/** This runs in the browser. */
const waitForCopy = (button: any): Promise<void> =>
  new Promise((resolve) => {
    button.addEventListener('copied', () => {
      resolve();
    });
  });

/** Replaces each text of a page, as translators do, but also where the page forbids it. */
function rewriteTexts(page: Page): Promise<void> {
  return page.evaluate(`{
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) if (!text.parentElement.closest('script, button')) text.data = 'rewritten';
  }`);
}
