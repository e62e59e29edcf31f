import { randomUUID } from 'node:crypto';
import { Push } from '../../pushes/push/push.entity.js';
import { Client } from '../../../test/support/client.js';
import { forAllTests, forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { newSignedInUser, PageClient } from '../../../test/support/page-client.js';
import { ask } from '../../../test/support/requests.js';
import { startApp } from '../../../test/support/start-app.js';
import { TusUpload } from '../../../test/support/tus.js';

const TUS = { 'Tus-Resumable': '1.0.0' };

describe('Uploads of pages', () => {
  const running = forAllTests(() =>
    startApp({
      PUBLIC_URL: 'https://push.example.org/secrets',
      UPLOAD_PART_SIZE: '2000000',
      MAX_FILE_SIZE: '1000000',
      ENABLE_REQUESTS_API: 'true',
    }),
  );
  const user = forEachTest(() => newSignedInUser(running));

  /** As the script of a page. */
  const scriptOf = (pageClient: PageClient, headers: Record<string, string> = {}) =>
    new Client(running.url, {
      Cookie: pageClient.cookies,
      'Sec-Fetch-Site': 'same-origin',
      Accept: 'application/json',
      ...headers,
    });
  const begin = (client: Client, length: number) =>
    client.send('POST', '/uploads', undefined, { ...TUS, 'Upload-Length': String(length) });
  async function upload(client: Client, content: string): Promise<TusUpload> {
    const { status, headers } = await begin(client, content.length);
    expect(status).toBe(201);
    const location = headers.get('Location') ?? '';
    expect(location).toMatch(/^https:\/\/push\.example\.org\/secrets\/uploads\/[\w-]{43}$/);
    const begun = new TusUpload(client, new URL(location).origin + new URL(location).pathname.slice(8));
    await begun.sendRest(Buffer.from(content));
    return begun;
  }
  const send = (pageClient: PageClient, id: string, key: string = randomUUID()) =>
    pageClient.post(
      '/',
      { 'push[kind]': 'file', 'push[uploads][]': id },
      { Accept: 'application/json', 'Idempotency-Key': `"${key}"` },
    );

  it('are said to scripts by each form that takes files, with the size of parts', async () => {
    const { body: home } = await user.pageClient.get('/');
    const { client } = await running.newUser();
    const { url_token: token } = await ask(client);
    const { body: answer } = await new PageClient(running.url).get(`/requests/${token}`);

    expect(home).toContain('data-parts-to="/secrets/uploads" data-part-bytes="2000000"');
    expect(home).not.toContain('data-parts-for');
    expect(answer).toContain('data-parts-to="/secrets/uploads" data-part-bytes="2000000"');
    expect(answer).toContain(`data-parts-for="{&quot;request&quot;:&quot;${token}&quot;}"`);
  });

  it('are those of the account that is signed in', async () => {
    const begun = await upload(scriptOf(user.pageClient), 'tulip');
    const other = await newSignedInUser(running);

    expect((await begun.head()).headers.get('Upload-Offset')).toBe('5');
    expect((await begun.by(scriptOf(other.pageClient)).head()).status).toBe(404);
    expect((await begun.by(scriptOf(new PageClient(running.url))).end()).status).toBe(404);
    expect((await send(other.pageClient, begun.id)).status).toBe(422);
    expect((await send(user.pageClient, begun.id)).status).toBe(201);
  });

  it('are taken once, also by a form that is sent again because its response was lost', async () => {
    const begun = await upload(scriptOf(user.pageClient), 'tulip');
    const key = randomUUID();
    const first = await send(user.pageClient, begun.id, key);
    const again = await send(user.pageClient, begun.id, key);
    const other = await send(user.pageClient, begun.id);

    expect(first.status).toBe(201);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(other.status).toBe(422);
    expect(other.body).toMatchObject({ errors: { uploads: expect.stringContaining('no longer there') } });
    expect(await running.dataSource.manager.countBy(Push, { userId: user.id })).toBe(1);
  });

  it('are refused in the language of the page', async () => {
    const german = scriptOf(user.pageClient, { 'Accept-Language': 'de' });
    const { status, body } = await begin(german, 2_000_000);

    expect(status).toBe(413);
    expect(body).toEqual({ errors: { form: expect.stringMatching(/Datei/) } });
    const anonymous = await begin(scriptOf(new PageClient(running.url)), 5);
    expect([anonymous.status, anonymous.body]).toEqual([401, { errors: { form: expect.any(String) } }]);
  });

  it('are not begun, continued or ended by other sites (D2)', async () => {
    const begun = await upload(scriptOf(user.pageClient), 'tulip');
    const foreign = scriptOf(user.pageClient, { 'Sec-Fetch-Site': 'cross-site' });

    expect((await begin(foreign, 5)).status).toBe(403);
    expect((await begun.by(foreign).part(5, '')).status).toBe(403);
    expect((await begun.by(foreign).end()).status).toBe(403);
    expect(await begun.offset()).toBe(5);
  });

  it('do not exist where forms send their files themselves', async () => {
    const without = await forThisTest(startApp({ ENABLE_FILE_PUSHES: 'false' }));
    const { pageClient } = await newSignedInUser(without);

    expect((await pageClient.get('/')).body).not.toContain('data-parts-to');
  });
});
