import type { Download } from 'playwright-core';
import { Push } from '../../src/pushes/push/push.entity.js';
import type { EndToEndPush } from '../support/end-to-end-push.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { digest } from '../support/files.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

const SHOWS = 'Here is the secret';
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
    await person.waitForHeading(SHOWS);
    await person.page.locator('[data-decrypting]').waitFor({ state: 'hidden' });
  }

  async function downloadBy(name: string): Promise<Download> {
    const [download] = await Promise.all([
      person.page.waitForEvent('download'),
      person.page.getByRole('link', { name: `Download ${name}`, exact: true }).click(),
    ]);
    return download;
  }

  it('decrypts the secret after a click, and then removes the key from the address', async () => {
    const push = await share();
    await person.visit(push.link);
    await button('Open').waitFor();
    expect(await main()).toContain('3 views left. Expires ');
    expect(await main()).toContain('End-to-end encrypted');
    expect(await hash()).toBe(`#${push.fragment}`);
    await person.page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    expect(await hash()).toBe(`#${push.fragment}`);
    expect(requests).toEqual([`GET /p/${push.urlToken}`]);

    await button('Open').dblclick();
    await person.waitForHeading(SHOWS);

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
      await person.page.waitForLoadState('networkidle');
      expect(await button('Open').isVisible()).toBe(false);
    }

    expect(requests.filter((request) => request.startsWith('GET /p/'))).toHaveLength(ends.length);
    expect(requests).toHaveLength(ends.length);
    expect(await viewsUsed()).toBe(0);
  });

  it('moves a key behind the # that a mail gateway has encoded, and says so', async () => {
    const push = await share();
    for (const encoded of ['%2523', '%252523', '/r%23', '%23']) {
      await person.visit(push.url + encoded + push.fragment);
      await person.page.getByText('Another program has changed this link').waitFor();
      const path = encoded.startsWith('/') ? '/r' : '';
      expect(await person.page.evaluate('location.href')).toBe(`${push.url}${path}#${push.fragment}`);
    }
    expect(requests).toHaveLength(4);
    expect(await viewsUsed()).toBe(0);

    await person.press('Open');
    await person.waitForHeading(SHOWS);

    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
    expect(await hash()).toBe('');
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

    await person.press('Deutsch');
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
    const field = person.page.getByLabel('Passphrase');
    expect(await field.inputValue()).toBe('grüße');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await person.fill({ Passphrase: 'Grüße'.normalize('NFD') });
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
    const link = person.page.getByRole('button', { name: 'Open web address' });
    expect(await link.getAttribute('href')).toBe('https://example.org:x@exаmple.org:8443/#a');

    await open(await share({ kind: 'qr', text: 'WIFI:S:guests;;' }));
    expect(await person.page.locator('svg.qr path').getAttribute('d')).toMatch(/^M3 3h1v1h-1z/);
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
    expect(await person.page.title()).toBe('Here is the secret · Sealpush');
  });

  it('offers decrypted files under their own names, whole and one by one', async () => {
    const files = [
      { name: 'minutes.txt', type: 'text/plain', content: LONG },
      { name: 'empty', type: '', content: '' },
    ];
    await person.page.addInitScript(WITHOUT_PICKER);
    await open(await share({ kind: 'file', files }));
    expect(await main()).toContain('200 kB');

    for (const { name, content } of files) {
      const download = await downloadBy(name);
      const bytes = Buffer.concat(await (await download.createReadStream()).toArray());
      expect(download.suggestedFilename()).toBe(name);
      expect(digest(bytes)).toBe(digest(content));
    }
    expect(await viewsUsed()).toBe(1);
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
    const link = person.page.getByRole('link', { name: 'minutes.txt' });
    await person.page.route('**/files/*', (route) => route.abort());
    await link.click();
    await person.page.getByText('The download of minutes.txt was interrupted').waitFor();
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({});

    await person.page.unrouteAll();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    await person.page.route('**/files/*', () => {
      isAsked();
    });
    await link.click();
    await asked;
    await button('Cancel').click();
    await person.page.getByText('The download of minutes.txt was cancelled.').waitFor();
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({});

    await person.page.unrouteAll();
    await link.click();
    await person.page.getByText('minutes.txt was saved.').waitFor();
    expect(await person.page.evaluate(SAVED_FILES)).toEqual({ 'minutes.txt': LONG.toString() });
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

    await open(push);
    await person.page.getByText('The secret cannot be opened').waitFor();
    const [download] = await Promise.all([
      person.page.waitForEvent('download'),
      person.press('Save encrypted text'),
    ]);

    expect(download.suggestedFilename()).toBe('secret.age');
    const saved = Buffer.concat(await (await download.createReadStream()).toArray()).toString();
    expect(saved).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n[^]+-----END AGE ENCRYPTED FILE-----\n$/);
    expect(await hash()).toBe(`#${push.fragment}`);
  });

  it('lets the recipient delete it where the sender allows it', async () => {
    await open(await share({ text: 'correct horse' }, { deletable_by_viewer: 'true' }));

    await person.page.getByText('Delete secret').click();
    await person.press('Delete permanently');

    await person.waitForHeading('Secret deleted');
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
    await person.page.getByText('Open from the command line').click();
    expect(await person.page.locator('#commands pre').innerText()).toContain(
      `${running.url}/api/v2/pushes/${push.urlToken}`,
    );
    expect(await viewsUsed()).toBe(0);
  });
});

function altered(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 20] = ~(copy.at(-20) ?? 0);
  return copy;
}
