import type { Locator } from 'playwright-core';
import { errorsOf } from './support/look.js';
import { takeScreenshots } from './support/screenshots.js';
import { startSite } from './support/site.js';

const MAX_BYTES = 75_000;

/** Runs in the browser. All other operations have the same parts. */
const OPEN = `for (const id of ['createPush', 'schema-OwnPushDto']) {
  const section = document.getElementById(id);
  for (const details of [section.parentElement, ...section.querySelectorAll('details')]) details.open = true;
}`;

describe('The documentation of the API in a browser', () => {
  const { running, person, meet } = startSite({
    browser: { reducedMotion: 'reduce' },
    expected: /ERR_FAILED/,
  });

  /** Opens an operation and its form. */
  const tryOut = async (operationId: string): Promise<Locator> => {
    await person.visit(`/api/docs#${operationId}`);
    const section = person.page.locator(`[id="${operationId}"]`);
    await section.getByRole('button', { name: 'Try it' }).click();
    return section.locator('form');
  };
  const send = async (form: Locator): Promise<{ status: string; body: any; headers: string }> => {
    await form.getByRole('button', { name: 'Send the request' }).click();
    await form.locator('.response-status').waitFor();
    const body = (await form.locator('.body').count()) > 0 ? await form.locator('.body').textContent() : '';
    return {
      status: (await form.locator('.response-status').textContent()) ?? '',
      headers: (await form.locator('.headers').textContent()) ?? '',
      body: body?.startsWith('{') ? JSON.parse(body) : body,
    };
  };

  it('creates a push, reads it with its passphrase and deletes it, and says beforehand that these are real', async () => {
    const creation = await tryOut('createPush');
    expect(await creation.locator('.banner').textContent()).toContain('creates a real push');
    await creation
      .getByLabel('JSON')
      .fill(
        '{"push": {"payload": "<b>horse</b>", "passphrase": "ä", "expire_after_views": 2, "deletable_by_viewer": true}}',
      );
    const created = await send(creation);
    expect(created.status).toBe('201 Created');
    expect(created.headers).toContain('content-type: application/json');

    const retrieval = await tryOut('retrievePush');
    expect(await retrieval.locator('.banner').textContent()).toContain('uses one view');
    await retrieval.getByLabel('url_token').fill(created.body.url_token);
    expect((await send(retrieval)).status).toBe('401 Unauthorized');
    await retrieval.getByLabel('X-Push-Passphrase').fill('%C3%A4');
    expect(await send(retrieval)).toMatchObject({ status: '200 OK', body: { payload: '<b>horse</b>' } });

    const deletion = await tryOut('deletePush');
    expect(await deletion.locator('.banner').textContent()).toContain('deletes a real push');
    await deletion.getByLabel('url_token').fill(created.body.url_token);
    expect((await send(deletion)).body).toMatchObject({ deleted: true });
  });

  it('sends forms, with files too', async () => {
    const owner = await running.newUser();
    const form = await tryOut('createPush');
    await form.getByLabel('API token').fill(owner.token);
    await form.getByLabel('Content-Type').selectOption('application/x-www-form-urlencoded');
    await form.locator('fieldset:enabled').getByLabel('push[payload]').fill('one & two');
    expect(await send(form)).toMatchObject({ status: '201 Created', body: { kind: 'text' } });

    await form.getByLabel('Content-Type').selectOption('multipart/form-data');
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('tulip') };
    await form.getByLabel('push[files][]').setInputFiles(file);
    const { body } = await send(form);
    expect(body).toMatchObject({ kind: 'file' });
    expect((await owner.client.retrieve(body.url_token)).body.files).toMatchObject([{ filename: 'a.txt' }]);
  });

  it('shares the token among its forms, and forgets it when the page is left', async () => {
    const owner = await running.newUser();
    await owner.client.push({ payload: 'correct horse', name: 'spring' });
    const form = await tryOut('listActivePushes');
    await form.getByLabel('API token').fill(owner.token);
    expect((await send(form)).status).toBe('200 OK');

    await person.page.locator('summary', { hasText: '/api/v2/pushes/expired' }).click();
    await person.page.locator('#listExpiredPushes').getByRole('button', { name: 'Try it' }).click();
    expect(await send(person.page.locator('#listExpiredPushes form'))).toMatchObject({ status: '200 OK' });

    await person.page.reload();
    const again = await tryOut('listActivePushes');
    expect(await again.getByLabel('API token').inputValue()).toBe('');
    expect(await person.page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    expect(await person.context.cookies()).toEqual([]);
  });

  it('sends no request before the required fields are filled in, and never a passphrase in a URL', async () => {
    const form = await tryOut('retrievePush');
    const sent: string[] = [];
    person.page.on('request', (request) => sent.push(request.url()));
    await form.getByRole('button', { name: 'Send the request' }).click();

    expect(await form.getByLabel('url_token').evaluate((input: any) => input.validity.valueMissing)).toBe(
      true,
    );
    expect(sent).toEqual([]);
    expect(await form.locator('[data-in="query"]').count()).toBe(0);
  });

  it('tries requests in German too', async () => {
    const reader = await meet({ locale: 'de-DE' });
    await reader.visit('/api/docs#createPush');
    await reader.page.locator('#createPush').getByRole('button', { name: 'Ausprobieren' }).click();
    await reader.page.route('**/api/v2/pushes', (route) => route.abort());
    await reader.press('Anfrage senden');

    await reader.page.getByText('Die Anfrage kann trotzdem gewirkt haben.').waitFor();
    await reader.chooseLanguage('English');
    await reader.page.getByText('Back to the site').waitFor();
  });

  it('is less than 75 kB with all of its parts', async () => {
    let bytes = 0;
    const session = await person.context.newCDPSession(person.page);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await person.page.goto(`${running.url}/api/docs`, { waitUntil: 'networkidle' });

    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });

  it('is read and used without a script, except for sending requests', async () => {
    const reader = await meet({ javaScriptEnabled: false });
    await reader.visit('/api/docs');
    await reader.page.locator('summary', { hasText: 'POST /api/v2/pushes' }).first().click();

    expect(await reader.page.getByText('push.expire_after_views').first().isVisible()).toBe(true);
    expect(await reader.page.locator('main').getByRole('button').count()).toBe(0);
    await reader.page.getByRole('link', { name: 'Back to the site' }).click();
    expect(new URL(reader.page.url()).pathname).toBe('/');
  });

  it('is accessible and fits, light and dark, narrow and wide, with operations and schemas open', async () => {
    const form = await tryOut('retrievePush');
    await form.getByLabel('url_token').fill('unknown');
    await send(form);
    await takeScreenshots(person.page, 'api-docs');
    await person.page.evaluate(OPEN);
    await person.page.locator('#createPush').getByRole('button', { name: 'Try it' }).click();

    expect(await errorsOf(person.page, 'api-docs-open')).toEqual([]);
  });
});
