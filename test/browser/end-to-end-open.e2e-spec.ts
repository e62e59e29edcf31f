import { randomBytes } from 'node:crypto';
import type { Download, Route } from 'playwright-core';
import { MIB } from '../../src/platform/settings/units.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import type { EndToEndPush } from '../support/end-to-end-push.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { readZip } from '../support/archives.js';
import { digest } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startHoldingProxy } from '../support/holding-proxy.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

const NOT_THE_SERVER = 'this server cannot read it';
const SHOWS = 'Here is the secret';
/** The same, or the files. */
const SHOWN = /^Here (is the (secret|file)|are the files)$/;
const ALL = /^Download all \(zip, /;
const INCOMPLETE = 'This link is incomplete';

/** Files are offered from memory, as in browsers that let nobody choose where they are saved. */
const WITHOUT_PICKER = 'delete window.showSaveFilePicker';
/** What the user chooses is a file of the origin's own file system. */
const WITH_PICKER = `window.showSaveFilePicker = async ({ suggestedName }) =>
  (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`;
const SAVED_FILES = `(async () => {
  const saved = {};
  for await (const [name, handle] of (await navigator.storage.getDirectory()).entries())
    saved[name] = await (await handle.getFile()).text();
  return saved;
})()`;

const SAVED_DIGEST = `(async () => {
  const handle = await (await navigator.storage.getDirectory()).getFileHandle('backup.iso');
  const bytes = await (await handle.getFile()).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
})()`;

const SAVED_ARCHIVE = `(async () => {
  const handle = await (await navigator.storage.getDirectory()).getFileHandle('files.zip');
  const reader = new FileReader();
  reader.readAsDataURL(await handle.getFile());
  await new Promise((resolve) => { reader.onload = resolve; });
  return reader.result.split(',')[1];
})()`;

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const INSIDE_APPS: [app: string, userAgent: string][] = [
  ['Instagram', `${IPHONE} Mobile/15E148 Instagram 356.0.0.27.91`],
  [
    'an app of Android',
    'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36',
  ],
];

/** Of an encrypted file, with the nonce. */
const HEADER = 166;
const CHUNK = 65_536 + 16;

const LONG = Buffer.alloc(200_000, 'The minutes of the meeting. ');

describe('The page of an end-to-end encrypted push', () => {
  const site = startSite({
    settings: { FILES_REQUIRE_AUTHENTICATION: 'false' },
    expected: /^Failed to load resource/,
  });
  const { running } = site;
  const proxy = forAllTests(() => startHoldingProxy(running.url));
  let person: Person;
  let requests: string[];

  beforeEach(() => {
    begin(site.person);
  });

  function begin(who: Person): void {
    person = who;
    requests = [];
    person.context.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (!path.startsWith('/assets/')) requests.push(`${request.method()} ${path}`);
    });
  }

  const share = (
    secret: Parameters<typeof pushEndToEnd>[1] = { text: 'correct horse' },
    fields: Record<string, string> = {},
    alter?: Parameters<typeof pushEndToEnd>[3],
  ) => pushEndToEnd(running.anonymous, secret, { expire_after_views: '3', ...fields }, alter);
  const main = () => person.page.locator('main').innerText();
  const button = (name: string) => person.page.getByRole('button', { name, exact: true });
  const alert = () => person.page.locator('#open-error');
  const hash = () => person.page.evaluate<string>('location.hash');
  const viewsUsed = async () => {
    const [push] = await running.dataSource.manager.find(Push, { order: { id: 'DESC' }, take: 1 });
    return push?.viewsCounted;
  };

  async function open(push: EndToEndPush): Promise<void> {
    await person.visit(push.link);
    await person.press('Open');
    await person.page.getByRole('heading', { level: 1, name: SHOWN }).waitFor();
    await person.page.locator('[data-decrypting]').waitFor({ state: 'hidden' });
  }

  const link = (name: string | RegExp) =>
    person.page.getByRole('link', {
      name: typeof name === 'string' ? `Download ${name}` : name,
      exact: true,
    });

  async function downloadBy(name: string | RegExp): Promise<Download> {
    const [download] = await Promise.all([person.page.waitForEvent('download'), link(name).click()]);
    return download;
  }

  it('decrypts the secret after a click, and then removes the key from the address', async () => {
    const push = await share();
    await person.visit(push.link);
    await button('Open').waitFor();
    expect(await main()).toMatch(/3 views left\s+Expires /);
    expect(await main()).toContain('Encrypted by the sender’s browser.');
    expect(await hash()).toBe(`#${push.fragment}`);
    await person.page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    expect(await hash()).toBe(`#${push.fragment}`);
    expect(requests).toEqual([`GET /p/${push.urlToken}`]);

    await button('Open').dblclick();
    await person.waitForHeading(SHOWS);

    await person.page.locator('#secret').waitFor();

    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
    expect(await person.page.evaluate('location.href')).toBe(push.url);
    expect(requests).toEqual([`GET /p/${push.urlToken}`, `POST /p/${push.urlToken}`]);
    expect(await viewsUsed()).toBe(1);
    expect(await person.page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).toMatch(
      /^\{"opened:[\w-]{43}":"opened"\}$/,
    );

    await person.page.reload();
    await person.waitForHeading('You have already opened this secret');
    expect(await main()).toContain('Its key is no longer in the address');
    expect(await button('Open').or(button('Open again (uses 1 view)')).isVisible()).toBe(false);
    await person.page.evaluate((link) => {
      (globalThis as any).location.assign(link);
    }, push.link);
    await button('Open again (uses 1 view)').waitFor();
    expect(await viewsUsed()).toBe(1);
  });

  it('says in the headline of a link whose key was cut or altered that it is incomplete, and asks for nothing', async () => {
    const push = await share();
    const { fragment } = push;
    const ends = ['', '#', ...[1, 2, 22, 43].map((length) => `#${fragment.slice(0, length)}`)];
    ends.push(`#${fragment}A`, `#3${fragment.slice(1)}`, `%23${fragment.slice(0, 40)}`, '%23');
    for (const end of ends) {
      await person.page.goto('about:blank'); // or only the part behind the # would change
      await person.visit(push.url + end);
      await person.waitForHeading(INCOMPLETE);
      expect(await person.page.locator('h1:visible').count()).toBe(1);
      expect(await main()).toContain('Ask the sender for the whole link.');
      expect(await main()).toContain('Nothing was used up.');
      await person.page.waitForLoadState('networkidle');
      expect(await button('Open').isVisible()).toBe(false);
      expect(await person.page.getByText('Open without this page').isVisible()).toBe(false);
    }

    expect(requests.filter((request) => request.startsWith('GET /p/'))).toHaveLength(ends.length);
    expect(requests).toHaveLength(ends.length);
    expect(await viewsUsed()).toBe(0);
  });

  it('moves a key behind the # that a mail gateway has encoded, and says so', async () => {
    const push = await share();
    for (const encoded of ['%2523', '%252523', '/r%23', '%23']) {
      await person.visit(push.url + encoded + push.fragment);
      await person.page.getByText('This link was changed on its way').waitFor();
      const path = encoded.startsWith('/') ? '/r' : '';
      expect(await person.page.evaluate('location.href')).toBe(`${push.url}${path}#${push.fragment}`);
      expect(await main()).not.toContain(NOT_THE_SERVER);
    }
    expect(requests).toHaveLength(4);
    expect(await viewsUsed()).toBe(0);

    await person.press('Open');
    await person.waitForHeading(SHOWS);

    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
    expect(await hash()).toBe('');
    expect(await main()).not.toContain(NOT_THE_SERVER);
  });

  it('says nothing else of a key that was sent to the server, in another language or after a reload', async () => {
    const push = await share();
    await person.visit(`${push.url}%23${push.fragment}`);
    const warning = person.page.locator('[data-when-repaired]');
    await warning.waitFor();
    await person.page.reload();
    await warning.waitFor();
    expect(await main()).not.toContain(NOT_THE_SERVER);
    await person.chooseLanguage('Deutsch');
    await button('Öffnen').waitFor();
    await warning.waitFor();
    expect(await person.page.locator('[data-unless-repaired]').isVisible()).toBe(false);

    const cut = await share();
    await person.visit(`${cut.url}%23${cut.fragment.slice(0, 30)}`);
    await person.waitForHeading('Dieser Link ist unvollständig');
    expect(await warning.isVisible()).toBe(false); // it says that the link still works
  });

  it('says of a key that was altered that it is wrong, without using a view', async () => {
    const push = await share();
    const other = push.fragment.startsWith('1A') ? '1B' : '1A';
    await person.visit(`${push.url}#${other}${push.fragment.slice(2)}`);

    await person.press('Open');
    await alert().getByText('The key in this link is wrong').waitFor();

    expect(await viewsUsed()).toBe(0);
  });

  it('keeps the key when the language is changed', async () => {
    const push = await share();
    await person.visit(push.link);

    await person.chooseLanguage('Deutsch');
    await button('Öffnen').waitFor();

    expect(await hash()).toBe(`#${push.fragment}`);
    expect(requests.join()).not.toContain(push.fragment.slice(1));
  });

  it('asks for a passphrase if the key says so, and lets a wrong one be corrected', async () => {
    const push = await share({ text: 'correct horse', passphrase: 'Grüße' }, { expire_after_views: '1' });
    await person.visit(push.link);

    await person.fill({ Passphrase: 'grüße' });
    await person.press('Open');
    await alert().getByText('The passphrase is wrong.').waitFor();
    expect(await viewsUsed()).toBe(0);
    const field = person.page.getByLabel('Passphrase', { exact: true });
    expect(await field.inputValue()).toBe('grüße');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await person.press('Show passphrase');
    expect(await field.getAttribute('type')).toBe('text');
    await field.selectText();
    await person.page.keyboard.insertText('Grüße'.normalize('NFD')); // replaces the wrong one
    await person.press('Open');
    await person.waitForHeading(SHOWS);

    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
  });

  it('says how long to wait, and what may have been used, as the page of every link', async () => {
    const push = await share();
    await person.visit(push.link);
    const responses = [
      { status: 429, headers: { 'Retry-After': '30' }, body: '' },
      { status: 502, body: '<h1>proxy</h1>' },
    ];
    await person.page.route(push.url, (route) => {
      const response = responses.shift();
      return response ? route.fulfill(response) : route.continue();
    });

    await person.press('Open');
    await alert().getByText('Too many attempts. Try again in 30 seconds.').waitFor();
    await person.press('Open');
    await alert().getByText('A view may have been used. Try again.').waitFor();
    await person.context.setOffline(true);
    await person.press('Open');
    await alert().getByText('No view has been used').waitFor();
    await person.context.setOffline(false);
    await person.press('Open');

    await person.waitForHeading(SHOWS);
    expect(await viewsUsed()).toBe(1);
  });

  it('uses no view if what decrypts cannot be loaded', async () => {
    const push = await share();
    await person.page.route('**/end-to-end-worker.js', (route) => route.abort());
    await person.visit(push.link);

    await person.press('Open');
    await alert().getByText('No view has been used. Try again.').waitFor();
    expect(requests).toHaveLength(1);
    await person.page.unrouteAll();
    await person.press('Open');

    await person.waitForHeading(SHOWS);
  });

  it('shows a web address with its host, and a QR code drawn by the browser', async () => {
    await open(await share({ kind: 'url', text: 'https://example.org:x@exаmple.org:8443/#a' }));
    expect(await main()).toContain('This address opens xn--exmple-4nf.org:8443.');
    const go = person.page.getByRole('link', { name: 'Open web address' });
    expect(await go.getAttribute('href')).toBe('https://example.org:x@exаmple.org:8443/#a');

    await open(await share({ kind: 'qr', text: 'WIFI:S:guests;;' }));
    expect(await person.page.locator('svg.qr path').getAttribute('d')).toMatch(/^M3 3h7v1h-7z/);
    expect(await person.page.locator('#secret').textContent()).toBe('WIFI:S:guests;;');

    await open(await share({ kind: 'qr', text: 'x'.repeat(3000) }));
    expect(await person.page.locator('svg.qr').count()).toBe(0);
    expect((await person.page.locator('#secret').textContent())?.length).toBe(3000);
  });

  it('runs no code from a secret or the names of its files (E4, E5)', async () => {
    const text = `</pre><script>document.title = 'owned'</script><img src=x onerror="document.title = 'owned'">`;
    const files = [
      { name: `../../<img src=x onerror=alert(1)>\u202Etxt.exe`, type: 'text/html', content: 'x' },
    ];
    await person.page.addInitScript(WITHOUT_PICKER);
    await open(await share({ kind: 'file', text, files }));

    expect(await person.page.locator('#secret').textContent()).toBe(text);
    expect(await person.page.locator('main img, main script').count()).toBe(0);
    const name = '<img src=x onerror=alert(1)>txt.exe';
    const blobs = person.page.evaluate(`new Promise((resolve) => {
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => { resolve(blob.type); return createObjectURL.call(URL, blob); };
    })`);
    const download = await downloadBy(name);
    expect(download.suggestedFilename()).not.toMatch(/[/\\\u202e]/);
    expect(await blobs).toBe('application/octet-stream');
    expect(await person.page.title()).toBe('Here is the file · Sealpush');
  });

  it('offers decrypted files under their own names, whole and one by one', async () => {
    const files = [
      { name: 'minutes.txt', type: 'text/plain', content: LONG },
      { name: 'empty', type: '', content: '' },
    ];
    await person.page.addInitScript(WITHOUT_PICKER);
    await open(await share({ kind: 'file', files }));
    expect(await main()).toContain('195.3\u00a0kB');

    for (const { name, content } of files) {
      const download = await downloadBy(name);
      const bytes = Buffer.concat(await (await download.createReadStream()).toArray());
      expect(download.suggestedFilename()).toBe(name);
      expect(digest(bytes)).toBe(digest(content));
    }
    expect(await viewsUsed()).toBe(1);
  });

  it('shows the message that came with files, and makes one archive of all under safe names', async () => {
    const long = `${'n'.repeat(251)}.pdf`;
    const names = ['../../etc/passwd', 'passwd', 'PASSWD', '..', 'CON', 'a\u202etxt.exe', long, long];
    const files = names.map((name, i) => ({
      name,
      content: i === 1 ? '' : Buffer.concat([LONG, Buffer.from([i])]),
    }));
    await person.page.addInitScript(WITHOUT_PICKER);
    await open(await share({ kind: 'file', text: 'Please sign both.', files }));
    expect(await person.page.locator('#secret').innerText()).toBe('Please sign both.');
    expect(await main()).toContain('Download all (zip, 1.3\u00a0MB)');

    const download = await downloadBy(ALL);
    const entries = await readZip(Buffer.concat(await (await download.createReadStream()).toArray()));

    expect(download.suggestedFilename()).toBe('files.zip');
    expect(entries.map(({ name }) => name.replace(/n{9,}/, 'n…'))).toEqual([
      ...['passwd', 'passwd (2)', 'PASSWD (3)', 'file', 'CON_', 'atxt.exe', 'n….pdf', 'n… (2).pdf'],
    ]);
    expect(Math.max(...entries.map(({ name }) => name.length))).toBeLessThan(256);
    expect(entries.map((entry) => entry.digest)).toEqual(files.map(({ content }) => digest(content)));
    expect(await viewsUsed()).toBe(1);
  });

  it('saves the files of an archive whose links worked, if those of others expire before their turn, and says so', async () => {
    await person.page.addInitScript(WITH_PICKER);
    const files = ['minutes.txt', 'figures.ods', 'plan.pdf'].map((name) => ({ name, content: LONG }));
    await open(await share({ kind: 'file', files }));
    let fetched = 0;
    await person.page.route('**/files/*', async (route) => {
      fetched += 1;
      await (fetched === 3 ? route.fulfill({ status: 404 }) : route.continue());
    });
    await link(ALL).click();
    await person.page.getByText('files.zip has only the first 2.').waitFor();
    await person.page.unrouteAll();

    const saved = await person.page.evaluate<string>(SAVED_ARCHIVE);
    const entries = await readZip(Buffer.from(saved, 'base64'));
    expect(entries.map(({ name }) => name)).toEqual(['minutes.txt', 'figures.ods']);
    expect(entries.map((entry) => entry.digest)).toEqual([digest(LONG), digest(LONG)]);
    expect(await person.page.getByText('Open the secret again').isVisible()).toBe(true);
  });

  it('saves an archive where the reader chooses, and nothing if a part of it breaks or it is cancelled', async () => {
    await person.page.addInitScript(WITH_PICKER);
    const files = ['minutes.txt', 'figures.ods', 'damaged.bin'].map((name) => ({ name, content: LONG }));
    await open(
      await share({ kind: 'file', files }, {}, ({ payload, files: [a, b, c] }) => ({
        payload,
        files: [a, b, altered(c as Buffer)] as Buffer[],
      })),
    );
    const all = link(ALL);
    await all.click();
    await person.page.getByText('damaged.bin cannot be opened').waitFor();
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({});

    let fetched = 0;
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    await person.page.route('**/files/*', async (route) => {
      if (++fetched === 2) isAsked();
      else await route.continue();
    });
    await all.click();
    await asked;
    const row = person.page.locator('[data-download-all]');
    await row.locator('progress').waitFor();
    expect(await row.locator('[data-percent]').textContent()).toBe('33%');
    await row.getByRole('button', { name: 'Cancel' }).click();
    await person.page.getByText('The download of files.zip was cancelled.').waitFor();
    expect(await row.locator('progress').isVisible()).toBe(false);
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({});

    await person.page.unrouteAll();
    await open(await share({ kind: 'file', files: files.slice(0, 2) }));
    await person.page.route('**/archive.js', (route) => route.abort());
    await all.click();
    await person.page.getByText('The download of files.zip was interrupted. Nothing was saved.').waitFor();
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({});
    await person.page.unrouteAll();
    await all.click();
    await person.page.getByText('files.zip was saved.').waitFor();
    const saved = await person.page.evaluate<string>(SAVED_ARCHIVE);
    expect((await readZip(Buffer.from(saved, 'base64'))).map(({ name }) => name)).toEqual([
      'minutes.txt',
      'figures.ods',
    ]);
  });

  it.each([
    ['from memory', WITHOUT_PICKER],
    ['where the reader chooses', WITH_PICKER],
  ])('saves nothing of files that were cut, extended, altered or swapped, %s', async (_, script) => {
    const names = ['cut', 'cut a byte', 'extended', 'altered', 'swapped', 'other'];
    const files = names.map((name) => ({ name, content: Buffer.concat([LONG, Buffer.from(name)]) }));
    const push = await share({ kind: 'file', files }, {}, ({ payload, files: sent }) => {
      const [a, b, c, d, e, f] = sent as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
      const cut = a.subarray(0, HEADER + 2 * CHUNK);
      return {
        payload,
        files: [cut, b.subarray(0, -1), Buffer.concat([c, c.subarray(-1)]), altered(d), f, e],
      };
    });
    const downloads: Download[] = [];
    person.page.on('download', (download) => downloads.push(download));
    await person.page.addInitScript(script);

    await open(push);
    for (const name of names) {
      await person.page.getByRole('link', { name: `Download ${name}`, exact: true }).click();
      await person.page.getByText(`${name} cannot be opened`).waitFor();
    }

    expect(downloads).toEqual([]);
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({});
  });

  it('saves a file where the reader chooses, and nothing if its download breaks or is cancelled', async () => {
    await person.page.addInitScript(WITH_PICKER);
    await open(await share({ kind: 'file', files: [{ name: 'minutes.txt', content: LONG }] }));
    const minutes = link('minutes.txt');
    await person.page.route('**/files/*', (route) => route.abort());
    await minutes.click();
    await person.page.getByText('The download of minutes.txt was interrupted').waitFor();
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({});

    await person.page.unrouteAll();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    await person.page.route('**/files/*', () => {
      isAsked();
    });
    await minutes.click();
    await asked;
    await button('Cancel').click();
    await person.page.getByText('The download of minutes.txt was cancelled.').waitFor();
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({});

    await person.page.unrouteAll();
    await minutes.click();
    await person.page.getByText('minutes.txt was saved.').waitFor();
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({ 'minutes.txt': LONG.toString() });
  });

  it('saves a file whole whose download broke, and nothing once its link has expired meanwhile', async () => {
    const content = randomBytes(20 * MIB);
    const push = await share({ kind: 'file', files: [{ name: 'backup.iso', content }] });
    const reader = await site.meet({}, proxy.url);
    await reader.page.addInitScript(WITH_PICKER);
    begin(reader);
    await open({ ...push, link: push.link.replace(running.url, proxy.url) });
    const download = async () => {
      proxy.allow('down', 5 * MIB);
      await link('backup.iso').click();
      await proxy.held('down');
      proxy.cut();
    };
    await download();
    proxy.allow('down', 5 * MIB);
    await proxy.held('down');
    proxy.cut();
    proxy.allow('down');
    await reader.page.getByText('backup.iso was saved.').waitFor();
    expect(await reader.page.evaluate(SAVED_DIGEST)).toBe(digest(content));

    await download();
    await reader.page.route('**/files/*', (route) => route.fulfill({ status: 403 }));
    proxy.allow('down');
    await reader.page.getByText('The download of backup.iso was interrupted. Nothing was saved.').waitFor();
  });

  it('says to choose where a file is saved, and that nothing was saved when the reader does not', async () => {
    await person.page.addInitScript(`window.showSaveFilePicker = () =>
      new Promise((_resolve, reject) => { window.dismiss = () => reject(new DOMException('', 'AbortError')); })`);
    await open(await share({ kind: 'file', files: [{ name: 'minutes.txt', content: LONG }] }));
    await link('minutes.txt').click();
    await person.page.getByText('Choose where to save minutes.txt.').waitFor();
    await person.page.evaluate('window.dismiss()');

    await person.page.getByText('The download of minutes.txt was cancelled. Nothing was saved.').waitFor();
    expect(await main()).not.toContain('Choose where to save');
  });

  it('says only that files were passed to the browser, and passes them on again without another view', async () => {
    const files = ['minutes.txt', 'figures.ods', 'draft.txt'].map((name) => ({ name, content: name }));
    await person.page.addInitScript(WITHOUT_PICKER);
    await open(await share({ kind: 'file', files }, { expire_after_views: '1' }));
    await downloadBy('minutes.txt');
    await person.page.getByText('minutes.txt was passed to the browser to be saved.').waitFor();
    await downloadBy(ALL);
    await person.page.getByText('files.zip was passed to the browser to be saved.').waitFor();
    expect(await main()).not.toContain('was saved');
    await person.page.route('**/files/*', (route) => route.fulfill({ status: 403 }));
    await link('draft.txt').click();
    await person.page.getByText('What was downloaded already can be saved again').waitFor();
    expect(await main()).toContain('That was the last view: there are no new download links.');
    expect(await person.page.locator('[data-download] a[aria-disabled]').count()).toBe(2);
    const before = requests.length;

    const again = await downloadBy('minutes.txt');
    expect(Buffer.concat(await (await again.createReadStream()).toArray()).toString()).toBe('minutes.txt');
    const archive = await downloadBy(ALL);
    const entries = await readZip(Buffer.concat(await (await archive.createReadStream()).toArray()));

    expect(entries.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
    expect(requests).toHaveLength(before);
    expect(await main()).toContain('What was downloaded already can be saved again');
    expect(await viewsUsed()).toBe(1);
  });

  it('keeps what was still arriving when the download links expired', async () => {
    await person.page.addInitScript(WITHOUT_PICKER);
    await open(
      await share({ kind: 'file', files: ['late.txt', 'lost.txt'].map((name) => ({ name, content: LONG })) }),
    );
    const held: Route[] = [];
    const paths = await person.page
      .locator('[data-download] a')
      .evaluateAll((links: any[]) => links.map(({ pathname }) => pathname as string));
    await person.page.route(`**${paths[0]}`, (route) => void held.push(route));
    await person.page.route(`**${paths[1]}`, (route) => route.fulfill({ status: 403 }));
    await link('late.txt').click();
    await link('lost.txt').click();
    await person.page.locator('[data-download] a[aria-disabled]').nth(1).waitFor();

    const coming = person.page.waitForEvent('download');
    await Promise.all(held.map((route) => route.continue()));
    await coming;
    await person.page.getByText('late.txt was passed to the browser').waitFor();

    expect((await downloadBy('late.txt')).suggestedFilename()).toBe('late.txt');
    expect(await person.page.locator('[data-download] a[aria-disabled]').count()).toBe(1);
  });

  it('keeps no file that is too large, and says until when it can be downloaded again', async () => {
    await person.page.addInitScript(WITHOUT_PICKER);
    await person.page.addInitScript(
      `Object.defineProperty(Blob.prototype, 'size', { get: () => 65 * 2 ** 20 })`,
    );
    await open(await share({ kind: 'file', files: [{ name: 'minutes.txt', content: LONG }] }));
    await downloadBy('minutes.txt');
    await person.page.getByText('download it again before the links expire').waitFor();
    await downloadBy('minutes.txt'); // by its link

    await person.page.route('**/files/*', (route) => route.fulfill({ status: 403 }));
    await link('minutes.txt').click();
    await person.page.getByText('The download links have expired.').waitFor();

    expect(await main()).not.toContain('can be saved again');
    expect(await viewsUsed()).toBe(1);
  });

  it.each(INSIDE_APPS)('asks first to open it in a browser where %s shows it', async (_app, userAgent) => {
    const reader = await site.meet({ userAgent });
    await reader.page.addInitScript(WITHOUT_PICKER);
    begin(reader);
    const files = [{ name: 'minutes.txt', content: LONG }];
    const push = await share({ kind: 'file', files }, { expire_after_views: '1' });
    await person.visit(push.link);
    await person.page.getByText('Open this link in your browser.').waitFor();
    expect(await person.page.getByLabel('Link', { exact: true }).inputValue()).toBe(push.link);
    expect(await button('Open').isVisible()).toBe(false);
    await person.chooseLanguage('Deutsch');
    await person.page.getByText('Öffnen Sie diesen Link in Ihrem Browser.').waitFor();
    expect(await person.page.locator('#link').inputValue()).toBe(push.link);
    await person.chooseLanguage('English');
    await button('Copy link').waitFor();
    expect(await viewsUsed()).toBe(0);
    expect(requests.join()).not.toContain(push.fragment.slice(1));

    await person.page.getByText('Open here anyway').click();
    await person.press('Open');
    await person.waitForHeading('Here is the file');
    await person.page.locator('[data-decrypting]').waitFor({ state: 'hidden' });
    expect(await person.page.content()).not.toContain(push.fragment.slice(1));
    await downloadBy('minutes.txt');
    await person.page.getByText('minutes.txt was passed to the browser to be saved.').waitFor();
  });

  it('says inside of an app that the link is incomplete, and nothing else', async () => {
    begin(await site.meet({ userAgent: INSIDE_APPS[0]?.[1] }));
    const push = await share();

    await person.visit(push.url);

    await person.waitForHeading(INCOMPLETE);
    expect(await main()).not.toMatch(/in your browser|Open here anyway/);
  });

  it('opens again when the download links have expired', async () => {
    await open(await share({ kind: 'file', files: [{ name: 'minutes.txt', content: LONG }] }));
    await person.page.route('**/files/*', (route) => route.fulfill({ status: 403 }));
    await person.page.evaluate(WITHOUT_PICKER);

    await person.page.getByRole('link', { name: 'minutes.txt' }).click();
    await person.page.getByText('The download links have expired.').waitFor();
    await person.page.unrouteAll();
    await button('Open again (uses 1 view)').click();
    await person.page.getByText('1 view left').waitFor();
    const download = await downloadBy('minutes.txt');

    expect(download.suggestedFilename()).toBe('minutes.txt');
  });

  it('offers what cannot be decrypted to be saved, and keeps the key', async () => {
    const push = await share({ text: 'correct horse' }, {}, (sent) => ({
      ...sent,
      payload: sent.payload.replace(
        /(.{8})(\n-----END)/,
        (_, last: string, end: string) =>
          `${last.startsWith('AAAA') ? 'BBBB' : 'AAAA'}${last.slice(4)}${end}`,
      ),
    }));

    await person.visit(push.link);
    await person.press('Open');
    await person.waitForHeading('This secret could not be opened');
    expect(await person.page.locator('h1:visible').count()).toBe(1);
    expect(await main()).toContain('The secret cannot be opened: it was damaged');
    const [download] = await Promise.all([
      person.page.waitForEvent('download'),
      person.press('Save encrypted text'),
    ]);

    expect(download.suggestedFilename()).toBe('secret.age');
    const saved = Buffer.concat(await (await download.createReadStream()).toArray()).toString();
    expect(saved).toMatch(
      /^-----BEGIN AGE ENCRYPTED FILE-----\r?\n[^]+-----END AGE ENCRYPTED FILE-----\r?\n$/,
    );
    expect(await hash()).toBe(`#${push.fragment}`);
  });

  it('says in the headline that this browser cannot open it, without using a view', async () => {
    const push = await share();
    await person.page.addInitScript('delete window.Worker');
    await person.visit(push.link);

    await person.waitForHeading('This browser cannot open the secret here');

    expect(await main()).toContain('Nothing was used up.');
    expect(await button('Open').isVisible()).toBe(false);
    expect(requests).toHaveLength(1);
  });

  it('lets the recipient delete it where the sender allows it', async () => {
    const files = [{ name: 'minutes.txt', content: LONG }];
    const push = await share({ kind: 'file', files }, { deletable_by_viewer: 'true' });
    await open(push);

    await person.page.getByText('Delete this secret…').click();
    await person.page.getByText('Its files are deleted too. Download first what you want to keep.').waitFor();
    await person.press('Delete permanently');
    await person.waitForHeading('Secret deleted');
    await person.visit(push.link);

    await person.waitForHeading('Secret deleted');
    const other = await person.context.newPage();
    await other.goto(push.link);
    await other.getByRole('heading', { name: 'This secret is gone' }).waitFor();
  });

  it('says without script how to open it with other programs, and has no button', async () => {
    await person.context.close();
    begin(await site.meet({ javaScriptEnabled: false }));
    const push = await share();

    await person.visit(push.link);

    await person.waitForHeading('Turn on JavaScript to open this secret');
    expect(await person.page.locator('h1:visible').count()).toBe(1);
    expect(await main()).toContain('Nothing was used up.');
    expect(await button('Open').isVisible()).toBe(false);
    await person.page.getByText('Open without this page').click();
    expect(await person.page.locator('#commands pre').innerText()).toContain(
      `${running.url}/api/v2/pushes/${push.urlToken}`,
    );
    expect(await person.page.locator('#commands').innerText()).toContain('asks for the link: sealpush open');
    expect(await viewsUsed()).toBe(0);
  });
});

function altered(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 20] = ~(copy.at(-20) ?? 0);
  return copy;
}
