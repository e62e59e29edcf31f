import type { Page } from 'playwright-core';
import { startCuttingProxy } from '../support/cutting-proxy.js';
import { pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { textOfPdf } from './support/pdf-text.js';
import { startSite } from './support/site.js';

const ASKS = 'Someone sent you a secret';
const SHOWS = 'Here is the secret';
const SHOWS_FILES = 'Here are the files';
const OPENED = 'You have already opened this secret';
const NOT_BY_YOU =
  'If you have not opened it, somebody else may have. Tell the sender, who should then change the secret.';
const AGAIN = 'Open again (uses 1 view)';

const STORAGE_FORBIDDEN = `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } })`;
const RESTORE = `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`;

/** Many turns in which a page could do something by itself. */
const FRAMES = `(async () => {
  for (let i = 0; i < 200; i++) await new Promise(requestAnimationFrame);
})()`;
/** Only a window system makes events of its focus that a page trusts. */
const ALL_TRUSTED = `(() => {
  const { addEventListener } = window;
  window.addEventListener = (type, listener, options) =>
    addEventListener.call(window, type, (event) => listener(new Proxy(event, {
      get: (target, name) => (name === 'isTrusted' ? true : Reflect.get(target, name, target)),
    })), options);
})()`;

describe('The page of a link', () => {
  const { running, person, meet } = startSite({
    settings: { FILES_REQUIRE_AUTHENTICATION: 'false' },
    expected: /^Failed to load resource/,
  });
  let posts: string[];

  beforeEach(() => {
    posts = [];
    person.context.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  });

  const share = (fields: object = {}) => running.anonymous.push({ payload: 'correct horse', ...fields });
  const main = () => person.page.locator('main').innerText();
  const alert = () => person.page.locator('#open-error');
  const button = (name: string) => person.page.getByRole('button', { name, exact: true });

  /** Opens a link that asks neither for a click nor for a passphrase. */
  async function openNew(fields: object = {}): Promise<string> {
    const { html_url } = await share(fields);
    await person.openLink(html_url as string);
    await person.waitForHeading(SHOWS);
    return html_url as string;
  }

  async function expectToBeAsked(remaining: string): Promise<void> {
    await person.waitForHeading(ASKS);
    await button(AGAIN).waitFor();
    await person.movePointer();
    await person.page.waitForLoadState('networkidle');
    expect(await main()).toContain('You have already opened it in this tab.');
    expect(await main()).toContain(remaining);
    expect(await main()).not.toContain('opens once');
    expect(posts).toHaveLength(1);
  }

  it('opens when the pointer moves, asks after a reload, and opens again by its button', async () => {
    await openNew({ expire_after_views: 3 });

    await person.page.reload();
    await expectToBeAsked('2 views left');
    await button(AGAIN).click();
    await person.waitForHeading(SHOWS);

    expect(await main()).toMatch(/1 view left\s+Expires /);
    expect(posts).toHaveLength(2);
  });

  describe('that asks neither for a click nor for a passphrase', () => {
    it('uses no view without a sign of a person, as for programs that run its scripts (A9)', async () => {
      const { html_url, url_token } = await share();
      await person.visit(html_url as string);
      await button('Open').waitFor();
      await person.page.waitForLoadState('networkidle');
      await person.page.evaluate(FRAMES);
      for (const untrusted of ['pointermove', 'pointerup', 'wheel', 'keydown', 'focus'])
        await person.page.evaluate(`dispatchEvent(new Event('${untrusted}'))`);
      await person.page.evaluate(FRAMES);

      expect(posts).toEqual([]);
      expect(await person.heading()).toBe(ASKS);
      expect(await button('Open').isEnabled()).toBe(true);
      expect((await running.anonymous.retrieve(url_token as string)).body.views_remaining).toBe(4);
    });

    it.each<[string, (page: Page) => Promise<unknown>]>([
      ['a movement of the pointer', (page) => page.mouse.move(300, 10, { steps: 2 })],
      ['a turn of the wheel', (page) => page.mouse.wheel(0, 10)],
      ['a key', (page) => page.keyboard.press('ArrowDown')],
      ['a touch', (page) => page.touchscreen.tap(300, 5)],
      ['Enter on its button', (page) => page.locator('#open button').press('Enter')],
    ])('opens once after %s', async (_sign, act) => {
      const { html_url, url_token } = await share();
      const reader = await meet({ hasTouch: true });
      await reader.visit(html_url as string);
      await reader.page.waitForLoadState('networkidle');

      await act(reader.page);
      await reader.waitForHeading(SHOWS);
      await reader.movePointer();
      await reader.page.waitForLoadState('networkidle');

      expect((await running.anonymous.retrieve(url_token as string)).body.views_remaining).toBe(3);
    });

    it('opens after the reader has come back to its window, and not by the keys of the browser', async () => {
      const { html_url } = await share();
      await person.page.addInitScript(ALL_TRUSTED);
      await person.visit(html_url as string);
      for (const key of ['ControlLeft', 'Control+a', 'Meta', 'Alt', 'Shift', 'F6', 'Escape'])
        await person.page.keyboard.press(key);
      await person.page.locator('footer summary').press('Enter'); // which only opens the menu
      await person.page.evaluate(`dispatchEvent(new Event('focus'))`); // as when the window is shown at first
      await person.page.evaluate(FRAMES);
      expect(posts).toEqual([]);

      await person.page.evaluate(`dispatchEvent(new Event('blur')), dispatchEvent(new Event('focus'))`);

      await person.waitForHeading(SHOWS);
    });
  });

  it('asks when the reader comes back, and goes forward again', async () => {
    const link = await openNew({ expire_after_views: 5 });

    await person.visit('/how-it-works');
    await person.page.goBack();
    await expectToBeAsked('4 views left');
    await person.page.goBack();
    await person.page.goForward();
    await expectToBeAsked('4 views left');
    await person.visit(link);
    await expectToBeAsked('4 views left');
  });

  it('asks in a tab that was restored, and opens by itself in a new one', async () => {
    const link = await openNew({ expire_after_views: 3 });
    const stored = await person.page.evaluate('({ ...sessionStorage })');

    const restored = await person.context.newPage();
    await restored.addInitScript((items) => {
      Object.assign((globalThis as any).sessionStorage, items);
    }, stored);
    await restored.goto(link);
    await restored.getByRole('button', { name: AGAIN }).waitFor();
    await restored.mouse.move(5, 5, { steps: 2 });
    await restored.waitForLoadState('networkidle');
    expect(posts).toHaveLength(1);

    const other = await person.context.newPage();
    await other.goto(link);
    await other.mouse.move(5, 5, { steps: 2 });
    await other.getByRole('heading', { name: SHOWS }).waitFor();
    expect(posts).toHaveLength(2);
  });

  it('shows after a reload that the only view was used here, and nothing of it in another tab', async () => {
    const link = await openNew({ expire_after_views: 1 });

    await person.page.reload();

    await person.waitForHeading(OPENED);
    await person.page.getByText('That was its last view, so it has been deleted.').waitFor();
    expect(await main()).not.toMatch(/it was deleted|Ask whoever|somebody else/);
    expect(posts).toHaveLength(1);
    expect(await person.page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toMatch(/horse|\/p\//);

    const other = await person.context.newPage();
    await other.goto(link);
    await other.getByText('or it was deleted').waitFor();
    expect(await other.locator('main').innerText()).toContain('Ask whoever sent you the link.');
    expect(await other.locator('main').innerText()).toContain(NOT_BY_YOU);
    await other.goto(`${link.replace(/\/r$/, '')}/preview`); // the page of its sender
    await other.getByText('or it was deleted').waitFor();
    expect(await other.locator('main').innerText()).not.toContain('Ask whoever');
  });

  it('shows after a reload that a secret that was opened here has ended since', async () => {
    const link = await openNew({ expire_after_views: 3, deletable_by_viewer: true });
    await running.anonymous.delete(
      new URL(link).pathname.replace('/p/', '/api/v2/pushes/').replace(/\/r$/, ''),
    );

    await person.page.reload();

    await person.waitForHeading(OPENED);
    await person.page.getByText('It has been deleted or has expired since.').waitFor();
  });

  it('keeps the secret, hidden, in a page that the browser restores from memory', async () => {
    await openNew({ expire_after_views: 1 });
    await person.page.locator('#secret').waitFor();

    await person.page.evaluate(RESTORE);

    await person.page.locator('#secret').waitFor({ state: 'hidden' });
    expect(await person.page.locator('#secret').textContent()).toBe('correct horse');
    expect(posts).toHaveLength(1);
  });

  it('opens nothing by itself in a page that the browser restores from memory', async () => {
    const { html_url } = await share();
    await person.page.route(html_url as string, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await person.openLink(html_url as string);
    await alert().getByText('A view may have been used').waitFor();

    await person.page.evaluate(RESTORE);
    await person.movePointer();
    await person.page.waitForLoadState('networkidle');

    expect(posts).toHaveLength(1);
    expect(await button('Open').isEnabled()).toBe(true);
  });

  it('says before the click what remains, and after a reload that it was opened', async () => {
    const { html_url } = await share({ retrieval_step: true, expire_after_views: 2 });
    await person.visit(html_url as string);
    expect(await main()).toMatch(/2 views left\s+Expires /);

    await person.press('Open');
    await person.waitForHeading(SHOWS);
    await person.page.reload();

    await expectToBeAsked('1 view left');
  });

  it('opens once when its button is clicked twice', async () => {
    const { html_url } = await share({ retrieval_step: true });
    await person.visit(html_url as string);

    await button('Open').dblclick();
    await person.waitForHeading(SHOWS);

    expect(posts).toHaveLength(1);
  });

  it('keeps a wrong passphrase in its field, and says in place what is wrong', async () => {
    const { html_url } = await share({ passphrase: 'sesame', expire_after_views: 2 });
    await person.visit(html_url as string);
    expect(await main()).not.toMatch(/left|Expires/);
    expect(await alert().count()).toBe(1);

    await person.fill({ Passphrase: 'sesam' });
    await person.press('Open');
    await alert().getByText('The passphrase is wrong.').waitFor();

    const field = person.page.getByLabel('Passphrase', { exact: true });
    expect(await field.inputValue()).toBe('sesam');
    expect(await field.evaluate((element: any) => element === element.ownerDocument.activeElement)).toBe(
      true,
    );
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('aria-describedby')).toBe('open-error passphrase-hint');
    await person.page.reload();
    await button('Open').waitFor();

    await person.fill({ Passphrase: 'sesame' });
    await person.page.keyboard.press('Enter');
    await person.waitForHeading(SHOWS);
    await person.page.reload();
    await button(AGAIN).waitFor();
    expect(await main()).not.toMatch(/left|Expires/);
  });

  it.each([
    ['30', 'Too many attempts. Try again in 30 seconds.'],
    ['3500', 'Too many attempts. Try again in 59 minutes.'],
    [undefined, 'Too many attempts. Try again later.'],
  ])('says how long to wait after too many attempts: %s', async (seconds, message) => {
    const { html_url } = await share({ passphrase: 'sesame' });
    await person.visit(html_url as string);
    const headers: Record<string, string> = seconds === undefined ? {} : { 'Retry-After': seconds };
    await person.page.route(html_url as string, (route) =>
      route.fulfill({ status: 429, headers, body: '{}' }),
    );

    await person.fill({ Passphrase: 'sesame' });
    await person.press('Open');
    await alert().getByText(message).waitFor();

    expect(await person.page.getByLabel('Passphrase', { exact: true }).inputValue()).toBe('sesame');
    await person.page.unroute(html_url as string);
    await person.press('Open');
    await person.waitForHeading(SHOWS);
  });

  it.each([500, 502, 503, 200])(
    'says that a view may have been used after a %d of a proxy',
    async (status) => {
      const { html_url } = await share({ retrieval_step: true });
      await person.visit(html_url as string);
      await person.page.route(html_url as string, (route) =>
        route.fulfill({ status, body: '<h1>proxy</h1>' }),
      );
      await person.page.route(`${running.url}/p/*`, (route) =>
        route.fulfill({ status, body: '<h1>proxy</h1>' }),
      );

      await person.press('Open');
      await alert().getByText('A view may have been used. Try again.').waitFor();

      expect(await person.page.getByText('the answer did not arrive').isVisible()).toBe(false); // the same again
      expect(await person.heading()).toBe(ASKS);
      await person.page.unrouteAll();
      await person.press('Open');
      await person.waitForHeading(SHOWS);
    },
  );

  it('says that nothing was used while the reader is offline', async () => {
    const { html_url } = await share({ retrieval_step: true, expire_after_views: 1 });
    await person.visit(html_url as string);
    await person.context.setOffline(true);
    await person.press('Open');
    await alert().getByText('You are offline. No view has been used.').waitFor();

    await person.context.setOffline(false);
    await person.press('Open');

    await person.waitForHeading(SHOWS);
  });

  it('asks where the browser forbids to remember what was opened', async () => {
    const { html_url } = await share({ expire_after_views: 1 });
    await person.page.addInitScript(STORAGE_FORBIDDEN);
    await person.openLink(html_url as string);
    await person.page.waitForLoadState('networkidle');
    expect(posts).toEqual([]);

    await person.press('Open');

    await person.waitForHeading(SHOWS);
  });

  it('leads to no other page from its header, and to the explanation from its footer', async () => {
    await openNew();

    expect(await person.page.locator('header a, header button').count()).toBe(0);
    expect(await person.page.locator('header').innerText()).toBe('Sealpush');
    expect(await person.page.locator('footer').getByRole('link', { name: 'How it works' }).count()).toBe(1);
  });

  it('gives times in the zone and language of the reader', async () => {
    const { html_url, expires_at } = await share({ retrieval_step: true });
    const reader = await meet({ locale: 'de-DE', timezoneId: 'Asia/Tokyo' });
    await reader.visit(html_url as string);

    const shown = await reader.page.getByText('Läuft ab:').innerText();

    const hour = (new Date(expires_at as string).getUTCHours() + 9) % 24;
    expect(shown).toMatch(/^Läuft ab: (\w+tag|Mittwoch), \d+\. \S+ (\d{4} )?um \d{1,2}:\d\d$/);
    expect(shown).toMatch(new RegExp(`um 0?${hour}:`));
  });

  it('keeps the width of its column when the secret appears, and where the link has ended', async () => {
    const { html_url } = await share({ retrieval_step: true, expire_after_views: 1 });
    const box = async () => {
      const { x, width } = (await person.page.locator('main > *').first().boundingBox()) ?? {
        x: 0,
        width: 0,
      };
      return { x, width };
    };
    await person.visit(html_url as string);
    const before = await box();
    await person.press('Open');
    await person.waitForHeading(SHOWS);
    const after = await box();
    await person.page.reload();
    await person.waitForHeading(OPENED);

    expect(before.width).toBe(464);
    expect([after, await box()]).toEqual([before, before]);
  });

  it('shows the message that came with files, and a button for each of them', async () => {
    const files = ['minutes.txt', 'figures.ods'].map((name) => ({ name, content: name }));
    const { html_url } = await pushFiles(running.anonymous, files, { payload: 'Please sign both.' });
    for (const reader of [person, await meet({ javaScriptEnabled: false })]) {
      if (reader === person) await reader.openLink(html_url as string);
      else await reader.visit(html_url as string);
      if (reader !== person) await reader.press('Open');
      await reader.waitForHeading(SHOWS_FILES);

      expect(await reader.page.locator('#secret').innerText()).toBe('Please sign both.');
      expect(await reader.page.getByRole('link', { name: 'Download minutes.txt' }).count()).toBe(1);
      const all = reader.page.getByRole('link', { name: 'Download all' });
      expect(await all.evaluate(isFilledOrFramed)).toBe(true);
    }
  });

  it('prints all lines of a secret, or what is in its address or code, and nothing else', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i + 1} of the secret`);
    await openNew({ payload: lines.join('\n'), deletable_by_viewer: true });
    expect(textOfPdf(await person.page.pdf())).toBe(lines.join('\n'));

    await person.press('Hide');
    expect(textOfPdf(await person.page.pdf())).toBe('');

    await openNew({ kind: 'url', payload: 'https://example.org/a' });
    expect(textOfPdf(await person.page.pdf())).toBe('https://example.org/a');
    await openNew({ kind: 'qr', payload: 'WIFI:S:guests;;' });
    expect(textOfPdf(await person.page.pdf())).toBe('WIFI:S:guests;;');
    await person.page.emulateMedia({ media: 'print' });
    expect(await person.page.locator('svg.qr').isVisible()).toBe(true);
  });

  it('shows its states without its own colours too', async () => {
    await person.page.emulateMedia({ forcedColors: 'active' });
    const files = ['minutes.txt', 'figures.ods'].map((name) => ({ name, content: name }));
    const { html_url } = await pushFiles(running.anonymous, files, { passphrase: 'sesame' });
    const style = (selector: string, property: string) =>
      person.page.locator(selector).first().evaluate(computed, property);
    await person.visit(html_url as string);
    const border = await style('#passphrase', 'border-top-width');
    await person.fill({ Passphrase: 'wrong' });
    await person.press('Open');
    await alert().getByText('The passphrase is wrong.').waitFor();
    expect(await style('#passphrase', 'border-top-width')).not.toBe(border);
    expect(await alert().locator('svg').isVisible()).toBe(true);

    await person.fill({ Passphrase: 'sesame' });
    await person.press('Open');
    await person.waitForHeading(SHOWS_FILES);
    const enabled = await style('[data-download] a', 'color');
    await person.page.route('**/files/*', (route) => route.fulfill({ status: 403 }));
    await person.page.getByRole('link', { name: 'Download minutes.txt' }).click();
    await person.page.locator('[data-download] a[aria-disabled]').first().waitFor();

    expect(await style('[data-download] a', 'color')).not.toBe(enabled);
    expect(await style('[data-download] a', 'text-decoration-line')).toBe('line-through');
  });

  it('turns no wheel while it opens for a reader who wants no motion', async () => {
    const { html_url } = await share({ retrieval_step: true });
    await person.page.emulateMedia({ reducedMotion: 'reduce' });
    await person.visit(html_url as string);
    await person.page.route(`${running.url}/p/*`, () => undefined);
    await person.press('Open');
    await person.page.locator('#open button[aria-busy=true]').waitFor();

    const wheel = await person.page.locator('#open button').evaluate(computedBefore, 'animation-name');
    expect(wheel).toBe('none');
    await person.page.unrouteAll();
  });

  describe('without script', () => {
    it('has a button, and says what remains', async () => {
      const { html_url } = await share({ expire_after_views: 2 });
      const reader = await meet({ javaScriptEnabled: false });
      await reader.visit(html_url as string);
      expect(await reader.page.locator('main').innerText()).toMatch(/2 views left\s+Expires .* UTC/);

      await reader.press('Open');
      await reader.waitForHeading(SHOWS);
      await reader.visit(html_url as string);

      expect(await reader.page.locator('main').innerText()).toMatch(/It opens once[^]*Expires .* UTC/);
    });
  });

  describe('behind a connection that breaks when the view has been counted', () => {
    const proxy = forAllTests(() => startCuttingProxy(running.url));

    it('says that a view may have been used, also after a reload, and opens again', async () => {
      const { html_url } = await share({ expire_after_views: 3 });
      const reader = await meet({}, proxy.url);
      proxy.cutResponses(1);
      await reader.openLink(new URL(html_url as string).pathname);
      await reader.page.getByText('A view may have been used. Try again.').waitFor();

      await reader.page.reload();
      await reader.page.getByText('the answer did not arrive completely').waitFor();
      await reader.page.getByText('2 views left').waitFor();
      await reader.press('Open');
      await reader.waitForHeading(SHOWS);

      expect(proxy.posts()).toBe(2);
    });
  });
});

describe('The page of a link that was mailed from here', () => {
  const settings: Record<string, string> = {};
  const server = forAllTests(startMailServer);
  beforeAll(() => {
    Object.assign(settings, server.env);
  });
  const { running, person } = startSite({ settings });

  it('opens after a click, and not when the pointer moves or a key is pressed', async () => {
    const { client } = await running.newUser();
    const { url_token } = await client.push({
      payload: 'correct horse',
      notify_emails_to: 'ada@example.org',
    });
    const posts: string[] = [];
    person.context.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await person.openLink(`/p/${url_token}`); // PUBLIC_URL of the mail is another host
    await person.page.keyboard.press('ArrowDown');
    await person.page.waitForLoadState('networkidle');
    await person.page.evaluate(FRAMES);

    expect(posts).toEqual([]);
    expect(await person.heading()).toBe(ASKS);
    await person.press('Open');
    await person.waitForHeading(SHOWS);
  });
});

/** These run in the browser. */
const computed = (element: any, property: string): string =>
  (globalThis as any).getComputedStyle(element).getPropertyValue(property) as string;
const computedBefore = (element: any, property: string): string =>
  (globalThis as any).getComputedStyle(element, '::before').getPropertyValue(property) as string;
const isFilledOrFramed = (element: any): boolean => {
  const { borderTopStyle, paddingLeft } = (globalThis as any).getComputedStyle(element);
  return borderTopStyle === 'solid' && parseFloat(paddingLeft as string) > 5;
};
