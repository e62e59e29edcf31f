import type { CuttingProxy } from '../support/cutting-proxy.js';
import { startCuttingProxy } from '../support/cutting-proxy.js';
import { startSite } from './support/site.js';

const ASKS = 'You received a secret';
const SHOWS = 'Shared secret';
const ENDED = 'This link has expired or does not exist';
const AGAIN = 'Open again (uses 1 view)';

const STORAGE_FORBIDDEN = `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } })`;
const RESTORE = `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`;

describe('The page of a link', () => {
  const { running, person, meet } = startSite({ expected: /^Failed to load resource/ });
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
    await person.visit(html_url as string);
    await person.waitForHeading(SHOWS);
    return html_url as string;
  }

  async function expectToBeAsked(remaining: string): Promise<void> {
    await person.waitForHeading(ASKS);
    await button(AGAIN).waitFor();
    await person.page.waitForLoadState('networkidle');
    expect(await main()).toContain('You have already opened it in this tab.');
    expect(await main()).toContain(remaining);
    expect(await main()).not.toContain('Opening it uses one view.');
    expect(posts).toHaveLength(1);
  }

  it('opens immediately, asks after a reload, and opens again by its button', async () => {
    await openNew({ expire_after_views: 3 });

    await person.page.reload();
    await expectToBeAsked('2 views left, until ');
    await button(AGAIN).click();
    await person.waitForHeading(SHOWS);

    expect(await main()).toContain('The link still works for 1 view, until ');
    expect(posts).toHaveLength(2);
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

  it('asks in a tab that was restored, and opens immediately in a new one', async () => {
    const link = await openNew({ expire_after_views: 3 });
    const stored = await person.page.evaluate('({ ...sessionStorage })');

    const restored = await person.context.newPage();
    await restored.addInitScript((items) => {
      Object.assign((globalThis as any).sessionStorage, items);
    }, stored);
    await restored.goto(link);
    await restored.getByRole('button', { name: AGAIN }).waitFor();
    await restored.waitForLoadState('networkidle');
    expect(posts).toHaveLength(1);

    const other = await person.context.newPage();
    await other.goto(link);
    await other.getByRole('heading', { name: SHOWS }).waitFor();
    expect(posts).toHaveLength(2);
  });

  it('shows after a reload that the only view was used here, and nothing of it in another tab', async () => {
    const link = await openNew({ expire_after_views: 1 });

    await person.page.reload();

    await person.waitForHeading(ENDED);
    await person.page.getByText('You have opened this secret in this tab. No views are left.').waitFor();
    expect(await main()).not.toContain('may have been deleted');
    expect(posts).toHaveLength(1);
    expect(await person.page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toMatch(/horse|\/p\//);

    const other = await person.context.newPage();
    await other.goto(link);
    await other.getByText('may have been deleted').waitFor();
    expect(await other.locator('main').innerText()).not.toContain('in this tab');
  });

  it('shows after a reload that a secret that was opened here has ended since', async () => {
    const link = await openNew({ expire_after_views: 3, deletable_by_viewer: true });
    await running.anonymous.delete(
      new URL(link).pathname.replace('/p/', '/api/v2/pushes/').replace(/\/r$/, ''),
    );

    await person.page.reload();

    await person.waitForHeading(ENDED);
    await person.page.getByText('It has been deleted or has expired since.').waitFor();
    expect(await main()).not.toContain('No views are left');
  });

  it('keeps the secret, hidden, in a page that the browser restores from memory', async () => {
    await openNew({ expire_after_views: 1 });
    await person.page.getByText('Show secret').click();

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
    await person.visit(html_url as string);
    await alert().getByText('A view may have been used').waitFor();

    await person.page.evaluate(RESTORE);
    await person.page.waitForLoadState('networkidle');

    expect(posts).toHaveLength(1);
    expect(await button('Open secret').isEnabled()).toBe(true);
  });

  it('says before the click what remains, and after a reload that it was opened', async () => {
    const { html_url } = await share({ retrieval_step: true, expire_after_views: 2 });
    await person.visit(html_url as string);
    expect(await main()).toContain('Opening it uses one view.');
    expect(await main()).toContain('2 views left, until ');

    await person.press('Open secret');
    await person.waitForHeading(SHOWS);
    await person.page.reload();

    await expectToBeAsked('1 view left, until ');
  });

  it('opens once when its button is clicked twice', async () => {
    const { html_url } = await share({ retrieval_step: true });
    await person.visit(html_url as string);

    await button('Open secret').dblclick();
    await person.waitForHeading(SHOWS);

    expect(posts).toHaveLength(1);
  });

  it('keeps a wrong passphrase in its field, and says in place what is wrong', async () => {
    const { html_url } = await share({ passphrase: 'sesame', expire_after_views: 2 });
    await person.visit(html_url as string);
    expect(await main()).not.toContain('left, until');
    expect(await alert().count()).toBe(1);

    await person.fill({ Passphrase: 'sesam' });
    await person.press('Open secret');
    await alert().getByText('The passphrase is wrong.').waitFor();

    const field = person.page.getByLabel('Passphrase');
    expect(await field.inputValue()).toBe('sesam');
    expect(await field.evaluate((element: any) => element === element.ownerDocument.activeElement)).toBe(
      true,
    );
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('aria-describedby')).toBe('open-error');
    await person.page.reload();
    await button('Open secret').waitFor();

    await person.fill({ Passphrase: 'sesame' });
    await person.page.keyboard.press('Enter');
    await person.waitForHeading(SHOWS);
    await person.page.reload();
    await button(AGAIN).waitFor();
    expect(await main()).not.toContain('left, until');
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
    await person.press('Open secret');
    await alert().getByText(message).waitFor();

    expect(await person.page.getByLabel('Passphrase').inputValue()).toBe('sesame');
    await person.page.unroute(html_url as string);
    await person.press('Open secret');
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

      await person.press('Open secret');
      await alert().getByText('A view may have been used. Try again.').waitFor();

      expect(await person.heading()).toBe(ASKS);
      await person.page.unrouteAll();
      await person.press('Open secret');
      await person.waitForHeading(SHOWS);
    },
  );

  it('says that nothing was used while the reader is offline', async () => {
    const { html_url } = await share({ retrieval_step: true, expire_after_views: 1 });
    await person.visit(html_url as string);
    await person.context.setOffline(true);
    await person.press('Open secret');
    await alert().getByText('You are offline. No view has been used.').waitFor();

    await person.context.setOffline(false);
    await person.press('Open secret');

    await person.waitForHeading(SHOWS);
  });

  it('asks where the browser forbids to remember what was opened', async () => {
    const { html_url } = await share({ expire_after_views: 1 });
    await person.page.addInitScript(STORAGE_FORBIDDEN);
    await person.visit(html_url as string);
    await person.page.waitForLoadState('networkidle');
    expect(posts).toEqual([]);

    await person.press('Open secret');

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

    const shown = await reader.page.locator('.remaining').innerText();

    const hour = (new Date(expires_at as string).getUTCHours() + 9) % 24;
    expect(shown).toMatch(/^Noch 5 Aufrufe, bis (\w+tag|Mittwoch), \d+\. \S+ (\d{4} )?um \d{1,2}:\d\d\.$/);
    expect(shown).toMatch(new RegExp(`um 0?${hour}:`));
  });

  describe('without script', () => {
    it('has a button, and says what remains', async () => {
      const { html_url } = await share({ expire_after_views: 2 });
      const reader = await meet({ javaScriptEnabled: false });
      await reader.visit(html_url as string);
      expect(await reader.page.locator('main').innerText()).toMatch(/2 views left, until .* UTC\./);

      await reader.press('Open secret');
      await reader.waitForHeading(SHOWS);
      await reader.visit(html_url as string);

      expect(await reader.page.locator('main').innerText()).toMatch(/1 view left, until .* UTC\./);
    });
  });

  describe('behind a connection that breaks when the view has been counted', () => {
    let proxy: CuttingProxy;

    beforeAll(async () => (proxy = await startCuttingProxy(running.url)));
    afterAll(() => proxy.stop());

    it('says that a view may have been used, also after a reload, and opens again', async () => {
      const { html_url } = await share({ expire_after_views: 3 });
      const reader = await meet({}, proxy.url);
      proxy.cutResponses(1);
      await reader.visit(new URL(html_url as string).pathname);
      await reader.page.getByText('A view may have been used. Try again.').waitFor();

      await reader.page.reload();
      await reader.page.getByText('no complete answer arrived').waitFor();
      await reader.page.getByText('2 views left').waitFor();
      await reader.press('Open secret');
      await reader.waitForHeading(SHOWS);

      expect(proxy.posts()).toBe(2);
    });
  });
});
