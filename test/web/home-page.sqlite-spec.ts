import { IsNull } from 'typeorm';
import { FileStore } from '../../src/files/file-store.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { MULTIPART, multipart as form, part } from '../support/multipart.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { asData, newSignedInUser, PageClient, tokenIn } from '../support/page-client.js';

const linkIn = (body: string) => /value="(http[^"]+\/p\/[\w-]+(\/r)?)"/.exec(body)?.[1] ?? '';

function multipart(fields: Record<string, string>, ...files: [name: string, content: string][]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(`push[${name}]`, value);
  for (const [name, content] of files) form.append('push[files][]', new Blob([content]), name);
  return form;
}

async function storedKeys(running: RunningApp): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of running.app.get(FileStore).list()) keys.push(key);
  return keys;
}

describe('The front page', () => {
  const running = forAllTests(() => startApp({ RETRIEVAL_STEP_DEFAULT: 'true' }));
  const pageClient = forEachTest(() => new PageClient(running.url));

  it.each([
    ['text', 'correct horse'],
    ['url', 'https://example.org/?a=b'],
    ['qr', 'WIFI:S:guests;;'],
  ])('creates a push of kind %s and shows its link', async (kind, payload) => {
    const { status, body } = await pageClient.post('/', multipart({ kind, payload }));

    expect(status).toBe(201);
    expect(linkIn(body)).toBe(`${running.url}/p/${tokenIn(body)}`);
    expect(body).not.toContain(payload);
    const { body: push } = await running.anonymous.retrieve(tokenIn(body));
    expect(push).toMatchObject({ kind, payload, expire_after_days: 7, expire_after_views: 5 });
  });

  it('treats an empty file input as no file', async () => {
    const fields = [part('push[kind]', 'text'), part('push[payload]', 'correct horse')];
    const noFile = part('push[files][]', '', '; filename=""\r\nContent-Type: application/octet-stream');
    const { status, body } = await sendRaw(running.url, {
      method: 'POST',
      path: '/',
      headers: { ...MULTIPART, 'Sec-Fetch-Site': 'same-origin' },
      body: form(...fields, noFile),
    });

    expect(status).toBe(201);
    expect((await running.anonymous.retrieve(tokenIn(body))).body).toMatchObject({ kind: 'text', files: [] });
  });

  it('restores line feeds that browsers send as CRLF', async () => {
    const { body } = await pageClient.post('/', { 'push[payload]': 'one\r\ntwo\r\n\r\nthree' });

    expect((await running.anonymous.retrieve(tokenIn(body))).body.payload).toBe('one\ntwo\n\nthree');
  });

  it('treats an unchecked checkbox as false, whatever the default is', async () => {
    const unchecked = await pageClient.post('/', { 'push[payload]': 'x' });
    const checked = await pageClient.post('/', { 'push[payload]': 'x', 'push[retrieval_step]': 'on' });

    expect(linkIn(unchecked.body)).not.toMatch(/\/r$/);
    expect(linkIn(checked.body)).toMatch(/\/r$/);
  });

  it('shows errors beside each field, and the typed values except for the secrets', async () => {
    const fields = {
      'push[payload]': 'x'.repeat(1030),
      'push[kind]': 'qr',
      'push[expire_after_days]': '365',
      'push[expire_after_views]': 'many',
      'push[passphrase]': 'open sesame',
      'push[deletable_by_viewer]': 'on',
    };
    const { status, body } = await pageClient.post('/', fields);

    expect(status).toBe(422);
    expect(body).toContain('Enter at most 1,024 characters.');
    expect(body).toContain('Enter a whole number from 1 to 90.');
    expect(body).toContain('Enter a whole number from 1 to 100.');
    expect(body).toContain('value="365"');
    expect(body).toContain('value="many"');
    expect(body).toMatch(/value="qr" checked/);
    expect(body).toMatch(/name="push\[deletable_by_viewer\]" checked/);
    expect(body).not.toMatch(/name="push\[retrieval_step\]"[^>]* checked/);
    expect(body).not.toContain('xxxxx');
    expect(body).not.toContain('open sesame');
  });

  it('rejects a URL that is not http or https (E2, L21)', async () => {
    for (const payload of [
      'javascript:alert(1)',
      'data:text/html,x',
      ' https://example.org',
      'https://a.\u202eb',
    ]) {
      const { status, body } = await pageClient.post('/', { 'push[kind]': 'url', 'push[payload]': payload });

      expect(status).toBe(422);
      expect(body).toContain('Enter a full address, such as https://example.com.');
    }
  });

  it('stores no file of an anonymous user, and asks the user to sign in (C2)', async () => {
    const { status, body } = await pageClient.post('/', multipart({ kind: 'file' }, ['a.txt', 'minutes']));

    expect(status).toBe(422);
    expect(body).toContain('Sign in to share files.');
    expect(await storedKeys(running)).toEqual([]);
  });

  it('accepts files, a name and a note from signed-in users, who own the push', async () => {
    const { id, pageClient: member } = await newSignedInUser(running);
    const fields = { kind: 'file', name: 'for Ann', note: 'asked for by phone' };

    const { status, body } = await member.post(
      '/',
      multipart(fields, ['a.txt', 'minutes'], ['b.txt', 'bill']),
    );

    expect(status).toBe(201);
    const shown = await pageClient.post(`/p/${tokenIn(body)}`);
    expect(shown.body).toContain(
      `${asData('a.txt')}</span><span class="size" data-size="true">7\u00a0bytes</span>`,
    );
    expect(shown.body).toContain('b.txt');
    expect(shown.body).not.toContain('for Ann');
    expect(await running.dataSource.manager.countBy(Push, { userId: id })).toBe(1);
  });

  it('creates an anonymous push without an owner', async () => {
    const before = await running.dataSource.manager.countBy(Push, { userId: IsNull() });
    await pageClient.post('/', { 'push[payload]': 'x', 'push[user_id]': 'y' });

    expect(await running.dataSource.manager.countBy(Push, { userId: IsNull() })).toBe(before + 1);
  });

  it('shows no form with other terms when the one that was sent could not be read', async () => {
    const { status, body } = await pageClient.post('/', {});

    expect(status).toBe(400);
    expect(body).toContain('The form could not be read.');
    expect(body).not.toContain('id="make"');
  });
});

describe('The front page where anonymous pushes are disabled', () => {
  const running = forAllTests(() => startApp(settings));

  const settings = { ALLOW_ANONYMOUS: 'false', ENABLE_FILE_PUSHES: 'false', ENABLE_URL_PUSHES: 'false' };

  it('asks visitors to sign in first', async () => {
    const pageClient = new PageClient(running.url);

    expect((await pageClient.get('/')).headers.get('location')).toBe('/users/sign_in?next=%2F');
    expect((await pageClient.post('/', { 'push[payload]': 'x' })).status).toBe(401);
    expect(await running.dataSource.manager.count(Push)).toBe(0);
  });

  it('lists the kinds that are disabled', async () => {
    const { pageClient } = await newSignedInUser(running);

    expect((await pageClient.get('/')).body).toContain('Not available here: Files, Link.');
    const { status, body } = await pageClient.post('/', {
      'push[kind]': 'url',
      'push[payload]': 'https://a.example',
    });
    expect(status).toBe(422);
    expect(body).toContain('This is not available here.');
  });
});
