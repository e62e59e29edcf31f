import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import type { Page } from 'playwright-core';
import { startSite } from './support/site.js';

const HIDDEN = `Object.defineProperty(document, 'visibilityState', { get: () => window.isSeen ? 'visible' : 'hidden' })`;

const digests = JSON.parse(readFileSync('dist/client/integrity.json', 'utf8'));

/** What scripts of pages use to encrypt and decrypt, as a module of its own. */
const END_TO_END = buildSync({
  stdin: {
    contents: [
      './src/client/end-to-end/load',
      './packages/client/src/end-to-end/fragment',
      './packages/client/src/end-to-end/end-to-end-error',
    ]
      .map((path) => `export * from '${path}';`)
      .join('\n'),
    resolveDir: '.',
  },
  define: {
    END_TO_END_INTEGRITY: JSON.stringify(digests['end-to-end.js']),
    RECIPIENT_ENCRYPTION_INTEGRITY: JSON.stringify(digests['recipient-encryption.js']),
    ARCHIVE_INTEGRITY: '""',
  },
  external: ['./end-to-end.js', './recipient-encryption.js', './archive.js'],
  bundle: true,
  format: 'esm',
  write: false,
}).outputFiles[0]?.text;

describe('Scripts', () => {
  const { running, person } = startSite({
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  });

  it('do not open a push in a hidden page, and open it when somebody sees the page (A9)', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse', expire_after_views: 1 });
    await person.page.addInitScript(HIDDEN);
    const posts: string[] = [];
    person.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));

    await person.openLink(html_url);
    await person.page.waitForLoadState('networkidle');
    expect(posts).toEqual([]);

    await person.page.evaluate(`window.isSeen = true; document.dispatchEvent(new Event('visibilitychange'))`);
    await person.movePointer();
    await person.waitForHeading('Here is the secret');
    await person.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await person.movePointer();
    await person.page.waitForLoadState('networkidle');
    expect(posts).toEqual([html_url]); // once, however often it becomes visible
  });

  it('copy the secret, which is shown at first, also while it is hidden', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse' });
    await person.openLink(html_url);
    await person.waitForHeading('Here is the secret');
    const secret = person.page.locator('#secret');
    expect(await secret.isVisible()).toBe(true);

    await person.press('Hide');
    expect(await secret.isVisible()).toBe(false);
    await person.press('Copy');
    await person.page.getByText('Copied').first().waitFor();
    expect(await person.page.evaluate('navigator.clipboard.readText()')).toBe('correct horse');
    expect(await secret.isVisible()).toBe(false);

    await person.press('Show');
    expect(await secret.isVisible()).toBe(true);
  });

  it('store in the browser only that the tab has opened the link (H5)', async () => {
    const { html_url, url_token } = await running.anonymous.push({ payload: 'correct horse' });
    await person.openLink(html_url);
    await person.waitForHeading('Here is the secret');

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
    await person.openLink(html_url);
    await person.waitForHeading('Here is the secret');

    expect(await person.page.locator('#secret').textContent()).toBe(payload);
    expect(await person.page.title()).toBe('Here is the secret · Sealpush');
    expect(await person.page.locator('main img, main script').count()).toBe(0);
  });

  /** Runs code in a page, with the functions of the end-to-end module. */
  async function runEndToEnd(page: Page, code: string): Promise<unknown> {
    await page.route('**/probe.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: END_TO_END }),
    );
    await page.goto(running.url);
    return page.evaluate(`(async () => {
      const assets = document.querySelector('script[src]').src;
      const { isEndToEndAvailable, loadEndToEnd, loadRecipientEncryption, newFragment, reasonOf } = await import(
        new URL('probe.js', assets),
      );
      ${code}
    })()`);
  }

  it('encrypt and decrypt in a worker, which can be cancelled, under the policy of the pages', async () => {
    const requests: string[] = [];
    person.page.on('request', (request) => requests.push(request.url().replace(/.*\//, '')));

    const outcome = await runEndToEnd(
      person.page,
      `const { proofOf, encryptPayload, decryptPayload, encryptFile, decryptFile } = await loadEndToEnd();
      const fragment = newFragment({ needsPassphrase: true });
      const envelope = { kind: 'text', text: 'tulip', files: [] };
      const payload = await encryptPayload(envelope, fragment, 'Grüße');
      const failure = (promise) => promise.then(() => 'none', (error) => reasonOf(error) ?? error.name);
      const cancelled = new AbortController();
      const cancelling = failure(decryptPayload(payload, fragment, 'Grüße', cancelled.signal));
      cancelled.abort();
      const { key } = newFragment({ needsPassphrase: false });
      const blob = new Blob(['x'.repeat(200_000)]);
      const encrypted = await new Response(await encryptFile(blob.stream(), key)).blob();
      const file = { key, size: blob.size };
      return [
        isEndToEndAvailable(),
        (await proofOf(fragment, 'Grüße')).length,
        (await decryptPayload(payload, fragment, 'Grüße')).text,
        await failure(decryptPayload(payload, fragment, 'grüße')),
        await cancelling,
        (await new Response(await decryptFile(encrypted.stream(), file)).text()) === (await blob.text()),
        await failure((await decryptFile(encrypted.slice(0, -1).stream(), file)).pipeTo(new WritableStream())),
      ]`,
    );

    expect(outcome).toEqual([true, 43, 'tulip', 'wrong-secret', 'AbortError', true, 'damaged']);
    expect(requests.filter((name) => name === 'end-to-end.js')).toHaveLength(1);
  });

  it('encrypt to a recipient, and decrypt with its identity, under the policy of the pages', async () => {
    const outcome = await runEndToEnd(
      person.page,
      `const { newIdentity, encryptPayloadFor, decryptPayloadWith } = await loadRecipientEncryption();
      const [mine, theirs] = await Promise.all([newIdentity(), newIdentity()]);
      const payload = await encryptPayloadFor({ kind: 'text', text: 'tulip', files: [] }, mine.recipient);
      return [
        (await decryptPayloadWith(payload, [theirs.identity, mine.identity])).text,
        await decryptPayloadWith(payload, [theirs.identity]).catch(reasonOf),
      ]`,
    );

    expect(outcome).toEqual(['tulip', 'wrong-secret']);
  });

  it.each(['end-to-end.js', 'end-to-end-worker.js', 'recipient-encryption.js'])(
    'encrypt nothing when %s was changed on its way',
    async (name) => {
      const page = await person.context.newPage();
      await page.route(`**/${name}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()}\n` });
      });

      const reason = await runEndToEnd(
        page,
        name === 'recipient-encryption.js'
          ? `return loadRecipientEncryption().then(({ newIdentity }) => newIdentity()).catch(reasonOf);`
          : `const fragment = newFragment({ needsPassphrase: false });
        return loadEndToEnd().then(({ proofOf }) => proofOf(fragment, '')).catch(reasonOf);`,
      );

      expect(reason).toBe('unavailable');
      await page.close();
    },
  );

  it('do not run when they were changed on their way', async () => {
    const page = await person.context.newPage();
    await page.route('**/home.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `document.title = 'owned'` }),
    );
    const refusal = page.waitForEvent('console', (message) => message.text().includes('integrity'));

    await page.goto(running.url);
    await refusal;

    expect(await page.title()).not.toBe('owned');
    await page.close();
  });
});
