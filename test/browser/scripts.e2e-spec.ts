import { createHash } from 'node:crypto';
import { startSite } from './support/site.js';

const HIDDEN = `Object.defineProperty(document, 'visibilityState', { get: () => window.isSeen ? 'visible' : 'hidden' })`;

describe('Scripts', () => {
  const { running, person, signIn } = startSite({
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  });

  it('do not open a push in a hidden page, and open it once the page is visible (A9)', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse', expire_after_views: 1 });
    await person.page.addInitScript(HIDDEN);
    const posts: string[] = [];
    person.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));

    await person.visit(html_url);
    await person.page.waitForLoadState('networkidle');
    expect(posts).toEqual([]);

    await person.page.evaluate(`window.isSeen = true; document.dispatchEvent(new Event('visibilitychange'))`);
    await person.waitForHeading('Shared secret');
    expect(posts).toEqual([html_url]);
  });

  it('open a push once, however often the page becomes visible', async () => {
    const { html_url, url_token } = await running.anonymous.push({ payload: 'correct horse' });
    await person.visit(html_url);
    await person.waitForHeading('Shared secret');

    await person.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await person.page.waitForLoadState('networkidle');

    expect((await running.anonymous.retrieve(url_token as string)).body.views_remaining).toBe(3);
  });

  it('copy the secret without showing it', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse' });
    await person.visit(html_url);
    await person.waitForHeading('Shared secret');

    await person.press('Copy');
    await person.page.getByText('Copied').first().waitFor();

    expect(await person.page.evaluate('navigator.clipboard.readText()')).toBe('correct horse');
    expect(await person.page.locator('#secret').isVisible()).toBe(false);
  });

  it('hide a secret again a minute after it was shown', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse' });
    await person.page.clock.install();
    await person.visit(html_url);
    await person.waitForHeading('Shared secret');

    await person.page.getByText('Show secret').click();
    await person.page.locator('#secret').waitFor({ state: 'visible' });
    await person.page.clock.fastForward(59_000);
    expect(await person.page.locator('#secret').isVisible()).toBe(true);
    await person.page.clock.fastForward(2_000);

    await person.page.locator('#secret').waitFor({ state: 'hidden' });
  });

  it('generate a different password each time', async () => {
    await person.visit('/');
    const passwords = new Set<string>();
    for (let i = 0; i < 20; i++) {
      await person.press('Generate password');
      passwords.add(await person.page.locator('#payload').inputValue());
    }

    expect(passwords.size).toBe(20);
    for (const password of passwords) expect(password).toMatch(/^[A-Za-z0-9_.+!?-]{20}$/);
  });

  it('show a progress bar while a large file is sent', async () => {
    await signIn();
    await person.visit('/');
    await person.page.getByRole('radio', { name: 'Files' }).check();
    const buffer = Buffer.alloc(2_000_000);
    await person.page.locator('#files').setInputFiles({ name: 'a.bin', mimeType: 'x/y', buffer });
    const connection = await person.context.newCDPSession(person.page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 };
    await connection.send('Network.emulateNetworkConditions', slow);

    await person.press('Create link');
    await person.page.locator('progress').waitFor({ state: 'visible' });

    await person.waitForHeading('Your link is ready');
  });

  it('store in the browser only that the tab has opened the link (H5)', async () => {
    const { html_url, url_token } = await running.anonymous.push({ payload: 'correct horse' });
    await person.visit(html_url);
    await person.waitForHeading('Shared secret');

    const stored = await person.page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    expect(stored).toMatch(/^\{"opened:[\w-]{43}":"opened"\}$/);
    expect(stored).not.toContain(url_token);
    expect(stored).not.toContain(
      createHash('sha256')
        .update(url_token as string)
        .digest('base64url'),
    );
    expect(await person.page.evaluate('localStorage.length')).toBe(0);
    expect(await person.context.cookies()).toEqual([]);
  });

  it('run no code from shared content (E4, E5)', async () => {
    const payload = `</pre><script>document.title = 'owned'</script><img src=x onerror="document.title = 'owned'">`;
    const { html_url } = await running.anonymous.push({ payload });
    await person.visit(html_url);
    await person.waitForHeading('Shared secret');

    expect(await person.page.locator('#secret').textContent()).toBe(payload);
    expect(await person.page.title()).toBe('Shared secret · Sealpush');
    expect(await person.page.locator('main img, main script').count()).toBe(0);
  });
});
