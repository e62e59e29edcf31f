import { randomUUID } from 'node:crypto';
import { forAllTests } from '../support/for-tests.js';
import { freePort } from '../support/free-port.js';
import { nginx } from '../support/nginx.js';
import { PASSWORD } from '../support/page-client.js';
import { startTlsProxy } from '../support/tls-proxy.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

const FILE = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('tulips') };
/** In requests of the test itself to other applications. */
const MARK = '?by=the-test';
const hasNginx = nginx.path !== undefined;
if (!hasNginx) console.error('!!! NO NGINX: pages below a path are not tested in a browser !!!');

(hasNginx ? describe : describe.skip)('The pages below a path of a host', () => {
  const browser = { ignoreHTTPSErrors: true };
  let port: number;

  beforeAll(async () => (port = await freePort()));
  const base = () => `https://127.0.0.1:${port}/push`;
  const { running, person, meet } = startSite({
    settings: () => ({
      PUBLIC_URL: base(),
      TRUSTED_PROXIES: '127.0.0.1',
      FILES_REQUIRE_AUTHENTICATION: 'false',
    }),
    browser,
    url: base,
  });
  const proxy = forAllTests(() =>
    startTlsProxy(nginx, 'nginx-sub-path.conf', 'example.org', running.url, port),
  );
  const missing: string[] = [];
  const watch = ({ context }: Person) =>
    context.on('response', (response) => {
      if (response.status() >= 400 && !response.url().includes(MARK)) missing.push(response.url());
    });
  beforeEach(() => watch(person));
  afterEach(async () => {
    expect(missing).toEqual([]);
    expect(await requestsElsewhere()).toEqual([]);
  });

  /** nginx logs only those outside of the path. Those of the test itself have another mark. */
  async function requestsElsewhere(): Promise<string[]> {
    const lines = (await proxy.logs()).split('\n');
    return lines.filter((line) => /"[A-Z]+ \/.* HTTP\/2/.test(line) && !line.includes(MARK));
  }

  async function create(one: Person, encryption: string, fill: () => Promise<void>): Promise<string> {
    await one.visit('/');
    await (await one.unfolded(one.page.locator(`[name=encryption][value=${encryption}]`))).check();
    await fill();
    return one.createLink();
  }

  async function open(link: string): Promise<Person> {
    const recipient = await meet(browser, base());
    watch(recipient);
    await recipient.context.addInitScript('delete window.showSaveFilePicker'); // as in browsers without it
    await recipient.showSecret(link);
    return recipient;
  }

  /** What the browser sends to another application of the host, which answers as nobody else is there. */
  async function expectCookiesOnlyBelow({ context }: Person): Promise<void> {
    const page = await context.newPage();
    const cookiesTo = async (path: string) =>
      (await (await page.goto(new URL(path + MARK, base()).href))?.request().allHeaders())?.cookie;
    const names = (await context.cookies()).map(({ name, path, secure }) => [name, path, secure]);

    expect(names.toSorted()).toEqual([
      ['__Secure-sealpush', '/push', true],
      ['__Secure-sealpush-browser', '/push', true],
      ['sealpush-language', '/push', true],
    ]);
    for (const path of ['/push', '/push/', '/push/pushes'])
      expect(await cookiesTo(path)).toContain('__Secure-sealpush=');
    for (const path of ['/pushes', '/pusher/', '/', '/p/push/'])
      expect(await cookiesTo(path)).toBeUndefined();
    expect(await proxy.logs()).toContain(`"GET /pusher/${MARK} HTTP/2`);
    await page.close();
  }

  it('share a secret that the server encrypts', async () => {
    const link = await create(person, 'server', () => person.page.locator('#payload').fill('correct horse'));
    const recipient = await open(link);

    expect(link).toMatch(new RegExp(`^${base()}/p/[\\w-]+(/r)?$`));
    expect(await recipient.page.locator('#secret').textContent()).toBe('correct horse');
  });

  it('share a secret and a file that the browser encrypts', async () => {
    const link = await create(person, 'browser', async () => {
      await person.page.getByRole('radio', { name: 'Files' }).check();
      await person.page.locator('input[type=file]').setInputFiles(FILE);
      await person.page.locator('#payload').fill('correct horse');
    });
    const recipient = await open(link);
    const downloading = recipient.page.waitForEvent('download');
    await recipient.page.getByRole('link', { name: 'Download a.txt', exact: true }).click();
    const stream = await (await downloading).createReadStream();

    expect(link).toMatch(new RegExp(`^${base()}/p/[\\w-]+(/r)?#1[\\w-]{43}$`));
    expect(await recipient.page.locator('#secret').textContent()).toBe('correct horse');
    expect(Buffer.concat(await stream.toArray())).toEqual(FILE.buffer);
  });

  it('have accounts, lists, tokens, activity and another language', async () => {
    await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
    await person.openMenu();
    await person.page.getByRole('link', { name: 'API tokens' }).click();
    await person.fill({ Name: 'script' });
    await person.press('Create token');
    const token = await person.page.locator('#new-token').inputValue();
    const { status } = await proxy.send('POST', '/push/api/v2/pushes', {
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ push: { payload: 'tulip', name: 'from a script' } }),
    });
    expect(status).toBe(201);

    await person.visit('/pushes');
    await person.page.getByRole('link', { name: 'from a script' }).click();
    await person.waitForHeading('from a script');
    await person.chooseLanguage('Deutsch');
    await person.page
      .locator('header button', { hasText: 'Abmelden' })
      .first()
      .waitFor({ state: 'attached' });
    expect(new URL(person.page.url()).pathname).toMatch(/^\/push\/p\/[\w-]+\/audit$/);

    await expectCookiesOnlyBelow(person);
    await person.signOut('Abmelden');
    await person.waitForHeading('Anmelden');
    expect(new URL(person.page.url()).pathname).toBe('/push/users/sign_in');
  });

  it('send requests from the documentation of the API', async () => {
    await person.visit('/api/docs#describeVersion');
    const command = await person.page.locator('pre', { hasText: '/api/v2/version' }).first().textContent();
    const section = person.page.locator('[id="createPush"]');
    await person.visit('/api/docs#createPush');
    await section.getByRole('button', { name: 'Try it' }).click();
    await section.getByRole('button', { name: 'Send the request' }).click();
    await section.locator('form .response-status').waitFor();

    expect(command).toContain(`'${base()}/api/v2/version'`);
    expect(await section.locator('form .response-status').textContent()).toBe('201');
  });
});
