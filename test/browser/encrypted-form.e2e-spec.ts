import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { Push } from '../../src/pushes/push/push.entity.js';
import type { EndToEnd } from '../../src/platform/settings/settings.js';
import { Settings } from '../../src/platform/settings/settings.js';
import { fileKeyOf } from '../../packages/client/src/end-to-end/age-header.js';
import type { Envelope } from '../../packages/client/src/end-to-end/envelope.js';
import { decryptFileWith } from '../../packages/client/src/end-to-end/files.js';
import type { Fragment } from '../../packages/client/src/end-to-end/fragment.js';
import { parseFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { decryptPayload } from '../../packages/client/src/end-to-end/payload.js';
import { proofOf } from '../../packages/client/src/end-to-end/secret.js';
import { streamOf } from '../end-to-end/streams.js';
import { eventually } from '../support/eventually.js';
import { startFaultyProxy } from '../support/faulty-proxy.js';
import { forAllTests } from '../support/for-tests.js';
import { PASSWORD } from '../support/page-client.js';
import { readQrCode } from '../support/qr-code.js';
import { PLAIN_HOST } from './support/browser.js';
import { startSite } from './support/site.js';

const BY_BROWSER = /^Encrypt in my browser/;
const BY_SERVER = /^Encrypt on the server/;
const FILES = ['marked-a.html', 'marked-b.txt'].map((name, i) => ({
  name,
  mimeType: 'text/marked',
  buffer: Buffer.from('marked content '.repeat(20_000 * i + 1)),
}));
const SECRETS = [
  ['text', 'Text', 'marked secret\nGrüße', ''],
  ['text', 'Text', 'marked secret\nGrüße', 'marked passphrase'],
  ['url', 'Link', 'https://example.org/marked?secret', ''],
  ['qr', 'QR code', 'marked secret', ''],
  ['file', 'Files', 'marked message', ''],
  ['file', 'Files', '', 'marked passphrase'],
] as const;

/** What is read of a file waits for `release()` before it is passed on and counted. */
const HOLDS_FILES = `{
  const released = new Promise((resolve) => (window.release = resolve));
  window.TransformStream = class extends TransformStream {
    constructor(transformer, ...rest) {
      const transform = transformer?.transform;
      super(transform ? { ...transformer, async transform(...args) {
        window.isHeld = true;
        await released;
        try { return transform.apply(transformer, args); } finally { window.isPassedOn = true; }
      } } : transformer, ...rest);
    }
  };
}`;

describe('The form that encrypts in the browser', () => {
  const { running, person, meet } = startSite({
    settings: { FILES_REQUIRE_AUTHENTICATION: 'false', MAX_FILE_SIZE: '400000' },
    url: () => proxy.url,
    expected: /^Failed to load resource/,
  });

  const proxy = forAllTests(() => startFaultyProxy(running.url));
  beforeEach(async () => {
    await running.dataSource.manager.deleteAll(Push);
    proxy.received();
  });
  afterEach(() => {
    proxy.repair();
    running.app.get(Settings).END_TO_END = 'default';
  });

  const field = (id: string) => person.page.locator(`#${id}`);
  const choice = (name: string | RegExp) => person.page.getByLabel(name, { exact: true });
  const radio = (name: string) => person.page.getByRole('radio', { name, exact: true });
  const alert = (text: string) => person.page.getByRole('alert').getByText(text).waitFor();
  const count = () => running.dataSource.manager.count(Push);
  const set = (mode: EndToEnd) => (running.app.get(Settings).END_TO_END = mode);

  async function create(): Promise<string> {
    return person.createLink();
  }

  /** What the server has, by the proof and the key in the link. */
  async function open(link: string, passphrase: string) {
    const [, urlToken = '', hash = ''] = /\/p\/([\w-]{43})(?:\/r)?#(.*)$/.exec(link) ?? [];
    const fragment = parseFragment(hash) as Fragment;
    const { body } = await running.anonymous.retrieve(urlToken, await proofOf(fragment, passphrase));
    const envelope = await decryptPayload(body.payload, fragment, passphrase);
    return { body, fragment, envelope, files: await contents(body.files, envelope) };
  }

  function contents(links: { url: string }[], { files }: Envelope): Promise<string[]> {
    return Promise.all(
      files.map(async (file, i) => {
        const encrypted = new Uint8Array(await (await fetch(links[i]?.url ?? '')).arrayBuffer());
        return (await buffer(await decryptFileWith(streamOf(encrypted), file, fileKeyOf))).toString();
      }),
    );
  }

  it.each([
    [1280, 800],
    [360, 740],
  ])('is one screen of %i x %i pixels, and has thirteen controls at first', async (width, height) => {
    const sender = await meet({ viewport: { width, height } }, proxy.url);
    await sender.visit('/');
    const controls = sender.page.locator('form#make :is(input, textarea, select, button, summary, a)');
    const button = await sender.page.getByRole('button', { name: 'Create link' }).boundingBox();

    expect(await sender.page.locator('#payload:focus').count()).toBe(1);
    expect(await controls.filter({ visible: true }).count()).toBe(13);
    expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan(height);
  });

  it.each([
    [1280, 800],
    [360, 740],
  ])('is one screen of %i x %i pixels also with two files', async (width, height) => {
    const sender = await meet({ viewport: { width, height } }, proxy.url);
    await sender.visit('/');
    await sender.page.getByRole('radio', { name: 'Files' }).check();
    await sender.page.locator('#files').setInputFiles(FILES.slice(0, 2));
    await sender.page.getByText(FILES[1]?.name ?? '').waitFor();
    const button = await sender.page.getByRole('button', { name: 'Create link' }).boundingBox();

    expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan(height);
  });

  it.each(SECRETS)('sends a secret of kind %s that only the link opens (%s, %j, %j)', async (...secret) => {
    const [kind, label, text, passphrase] = secret;
    const files = kind === 'file' ? FILES : [];
    await person.visit('/');
    await radio(label).check();
    if (files.length > 0) await field('files').setInputFiles(files);
    await field('payload').fill(text);
    if (passphrase !== '') await person.fill({ Passphrase: passphrase });
    const link = await create();
    await person.page.locator('#qrcode path[d^=M]').waitFor({ state: 'attached' });
    const page = await person.page.content();
    const received = proxy.received();
    const opened = await open(link, passphrase);

    expect(opened.envelope).toMatchObject({
      kind,
      text,
      files: files.map(({ name, mimeType, buffer: { length } }) => ({ name, type: mimeType, size: length })),
    });
    expect(opened.files).toEqual(files.map((file) => file.buffer.toString()));
    expect(opened.body).toMatchObject({ client_encrypted: true, kind: kind === 'file' ? 'file' : 'text' });
    expect(opened.fragment.needsPassphrase).toBe(passphrase !== '');
    expect(received).toContain('BEGIN AGE ENCRYPTED FILE');
    for (const marker of ['marked', opened.fragment.key, 'encryption"'])
      expect(received).not.toContain(marker);
    expect(readQrCode(page, 'qrcode')).toBe(link);
    expect(await person.page.locator('a[href^="mailto:"]').getAttribute('href')).toContain(
      encodeURIComponent(link),
    );
    expect(await field('passphrase').isVisible()).toBe(passphrase !== '');
    expect(await field('passphrase').inputValue()).toBe(passphrase);
    const advice = person.page.getByText('another way than the link').filter({ visible: true });
    expect(await advice.count()).toBe(passphrase === '' ? 0 : 1);
    expect(person.errors).toEqual([]);
  });

  it('leads to a page that keeps the whole link in this tab only, and in no address', async () => {
    const addresses: string[] = [];
    person.page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    const link = await create();
    const address = person.page.url();
    await person.page.reload();
    await person.waitForHeading('Your link is ready');
    expect(await field('link').inputValue()).toBe(link);
    await person.page.goBack();
    expect(await field('payload').inputValue()).toBe('');
    await person.page.goForward();
    expect(await field('link').inputValue()).toBe(link);
    expect(await person.page.getByText('Encrypted in your browser').isVisible()).toBe(true);

    expect(addresses.filter((visited) => visited.includes('#'))).toEqual([]);
    expect(await person.page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    const other = await meet({}, proxy.url);
    await other.visit(address);
    await other.waitForHeading('This is the sender’s page');
    expect(
      await other.page.locator('#link, #qrcode, a[href^="mailto:"]').filter({ visible: true }).count(),
    ).toBe(0);
    const plain = await meet({ javaScriptEnabled: false }, proxy.url);
    await plain.visit(address);
    await plain.waitForHeading('This is the sender’s page');
  });

  it.each([
    ['too many requests', { status: 429, body: '' }, 'Too many requests.'],
    ['connections that break after the server has it', 'cut after', 'No answer'],
  ] as const)('creates one push for one link after %s', async (_name, fault, message) => {
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    proxy.break(fault);
    await person.press('Create link');
    await alert(message);
    proxy.repair();
    const { envelope } = await open(await create(), '');

    const payloads = proxy.received().match(/-----BEGIN AGE.*?END AGE/gs);
    expect(payloads?.length).toBeGreaterThan(1);
    expect(new Set(payloads).size).toBe(1);
    expect(envelope.text).toBe('correct horse');
    expect(await count()).toBe(1);
  });

  it('encrypts with another key once the form has changed', async () => {
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    proxy.break({ status: 503, body: '' });
    await person.press('Create link');
    await alert('The server cannot create links');
    proxy.repair();
    await person.fill({ Secret: 'battery staple' });

    expect((await open(await create(), '')).envelope.text).toBe('battery staple');
    expect(new Set(proxy.received().match(/name="push\[passphrase\]"\s+[\w-]{43}/g)).size).toBe(2);
  });

  it('can be cancelled while it encrypts, and sent again', async () => {
    await person.page.route('**/end-to-end-worker.js', () => undefined);
    await person.visit('/');
    await person.fill({ Secret: 'correct horse', Passphrase: 'sesame' });
    await person.press('Create link');
    await person.page.getByText('Encrypting…').waitFor();
    await person.press('Cancel');
    await alert('Cancelled.');

    expect(await field('passphrase').inputValue()).toBe('sesame');
    expect(proxy.received()).not.toContain('push[');
    await person.page.unrouteAll();
    await person.page.reload();
    await person.fill({ Secret: 'correct horse', Passphrase: 'sesame' });
    expect((await open(await create(), 'sesame')).envelope.text).toBe('correct horse');
  });

  it('refuses a passphrase that shows nothing before it encrypts (L21)', async () => {
    await person.visit('/');
    await person.fill({ Secret: 'correct horse', Passphrase: ' \u200b' });
    await person.press('Create link');
    await person.page.locator('#passphrase-error').getByText('nothing visible').waitFor();

    expect(proxy.received()).not.toContain('push[');
  });

  it('shows no progress any more once it was cancelled, whatever arrives then', async () => {
    await person.page.addInitScript(HOLDS_FILES);
    await person.visit('/');
    await radio('Files').check();
    await person.page.setInputFiles('#files', {
      name: 'large.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(400_000),
    });
    await person.press('Create link');
    await eventually(() => person.page.evaluate<boolean>('window.isHeld === true'));
    await person.press('Cancel');
    await alert('Cancelled.');
    await person.page.evaluate('window.release()');

    await eventually(() => person.page.evaluate<boolean>('window.isPassedOn === true'));
    expect(await person.page.locator('[data-upload]').isVisible()).toBe(false);
    await person.page.evaluate('delete window.isHeld');
    await create();
  });

  it('shows the passphrase that was sent, whatever an extension fills in while it is being sent', async () => {
    await person.visit('/');
    await person.fill({ Secret: 'correct horse', Passphrase: 'sesame' });
    await person.page.route('**/', async (route) => {
      await person.page.evaluate("document.querySelector('#passphrase').value = 'open up'");
      await route.continue();
    });
    await create();

    expect(await field('passphrase').inputValue()).toBe('sesame');
  });

  it('sends nothing when it cannot load what encrypts', async () => {
    await person.page.route('**/end-to-end.js', (route) => route.abort());
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    await person.press('Create link');
    await alert('The encryption could not be loaded');

    expect(proxy.received()).not.toContain('push[');
  });

  it.each([
    ['Text', ' ', 'Fill in this field.'],
    ['Text', 'ä'.repeat(600_000), 'Send it as a file.'],
    ['Link', 'javascript:alert(1)', 'Enter a full address'],
    ['Link', 'https://example.org/a b', 'A web address has no spaces.'],
    ['QR code', 'x'.repeat(1025), 'This is too long.'],
    ['Files', '', 'Choose at least one file.'],
  ])('reports %s before anything is sent', async (kind, text, message) => {
    await person.visit('/');
    await radio(kind).check();
    await field('payload').evaluate(
      (area, value) => ((area as unknown as { value: string }).value = value),
      text,
    );
    await person.press('Create link');
    await alert('Check the marked fields.');

    expect(await person.page.locator('.error').textContent()).toContain(message);
    expect(proxy.received()).not.toContain('push[');
  });

  it.each([BY_BROWSER, BY_SERVER])(
    'accepts a file of exactly the limit, which means the file itself: %s',
    async (mode) => {
      await person.visit('/');
      await radio('Files').check();
      await (await person.unfolded(choice(mode))).check();
      const file = { name: 'a', mimeType: 'a/b', buffer: Buffer.alloc(400_001) };
      await field('files').setInputFiles([file]);
      expect(await person.page.locator('[data-files-error]').textContent()).toBe(
        'Each file can be up to 390.6\u00a0kB.',
      );
      await person.press('Create link');
      expect(proxy.received()).not.toContain('push[');

      await person.press('Remove a');
      await field('files').setInputFiles([{ ...file, buffer: Buffer.alloc(400_000) }]);
      await create();
      expect(await count()).toBe(1);
      expect(await person.page.locator('[data-shared]').textContent()).toBe('1 file, 390.6\u00a0kB');
    },
  );

  it('leaves encryption to the server where the sender chooses that, and remembers it if wanted', async () => {
    await person.visit('/');
    expect(await choice(BY_BROWSER).isChecked()).toBe(true);
    await (await person.unfolded(choice(BY_SERVER))).check();
    await (await person.box('Remember these options in this browser')).check();
    await person.visit('/');
    expect(await choice(BY_SERVER).isChecked()).toBe(true);
    await person.fill({ Secret: 'correct horse' });
    const link = await create();

    expect(link).not.toContain('#');
    expect(await person.page.getByText('Encrypted on the server').isVisible()).toBe(true);
    const [, urlToken = ''] = /\/p\/([\w-]{43})/.exec(link) ?? [];
    const { body } = await running.anonymous.retrieve(urlToken);
    expect(body).toMatchObject({ payload: 'correct horse' });
    expect(body).not.toHaveProperty('client_encrypted');
  });

  it('says beside name and note that the server reads them', async () => {
    await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
    await person.visit('/');
    for (const name of ['name', 'note']) {
      await (await person.unfolded(field(name))).focus();
      expect(await field(`${name}-hint`).innerText()).toContain('this server can read it');
    }
  });

  it('asks before the only tab with the link is left, until the link was copied', async () => {
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    await create();
    const asked: string[] = [];
    person.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const leave = () => person.page.locator('header .brand').click({ noWaitAfter: true }); // oxlint-disable-line typescript/no-deprecated -- the next page may not come
    await leave();
    await eventually(() => asked.length === 1);
    expect(await field('link').inputValue()).toContain('#');

    await person.page.locator('a.skip').focus(); // which must not lead away from what the tab keeps
    await person.page.keyboard.press('Enter');
    await leave();
    await eventually(() => asked.length === 2);
    await person.press('Copy link');
    await person.page.getByRole('status').getByText('Copied').waitFor();
    await person.page.reload();
    expect(await field('link').inputValue()).toContain('#');
    await leave();
    await person.waitForHeading('Share a secret');
    expect(asked).toEqual(['beforeunload', 'beforeunload']);
  });

  it('shows no link where the server has not taken it as encrypted', async () => {
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    proxy.break({ status: 201, body: '{"path":"p/x/preview"}' });
    await person.press('Create link');

    await alert('The server did not take this as encrypted');
  });

  it.each([
    ['off', [0, 0]],
    ['offered', [1, 0]],
    ['required', [0, 0]],
  ] as const)('follows the setting %s', async (mode, [offered, chosen]) => {
    set(mode);
    await person.visit('/');

    expect(await choice(BY_BROWSER).count()).toBe(offered);
    expect(await person.page.locator('[value=browser]:checked').count()).toBe(chosen);
    await person.fill({ Secret: 'correct horse' });
    const link = await create();
    expect(link.includes('#')).toBe(mode === 'required');
    expect(await person.page.getByText('Encrypted in your browser').isVisible()).toBe(mode === 'required');
  });

  describe('without a script or a secure context', () => {
    const canSubmit = (page: Page) => page.getByRole('button', { name: 'Create link' }).isEnabled();

    it.each([
      ['without a script', 'default', undefined],
      ['without a script', 'required', 'This form cannot be used without JavaScript'],
      ['over plain HTTP', 'default', undefined],
      ['over plain HTTP', 'required', 'needs an address with https'],
    ] as const)('%s, %s', async (how, mode, reason) => {
      set(mode);
      const url = proxy.url.replace('127.0.0.1', PLAIN_HOST);
      const isPlain = how === 'over plain HTTP';
      const other = await meet({ javaScriptEnabled: isPlain }, isPlain ? url : proxy.url);
      await other.visit('/');

      expect(await choiceOn(other.page)).toBe(0);
      if (reason === undefined) {
        await other.fill({ Secret: 'correct horse' });
        await other.createLink();
        expect(await running.dataSource.manager.find(Push)).toMatchObject([{ clientEncrypted: false }]);
      } else {
        await other.page.locator('.banner:visible', { hasText: reason }).waitFor();
        expect(await canSubmit(other.page)).toBe(false);
        await other.fill({ Secret: 'marked secret' });
        await other.page.locator('#payload').press('Control+Enter');
        await other.page.locator('#payload').press('Control+Enter'); // the first has been handled
        expect(proxy.received()).not.toContain('marked');
      }
    });

    const choiceOn = (page: Page) => page.getByRole('radio', { name: BY_BROWSER }).count();
  });
});
