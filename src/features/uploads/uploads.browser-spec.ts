import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileKeyOf } from '../../../packages/client/src/end-to-end/age-header.js';
import { answerFragmentOf } from '../../../packages/client/src/end-to-end/answer-link.js';
import type { EnvelopeFile } from '../../../packages/client/src/end-to-end/envelope.js';
import { decryptFileWith } from '../../../packages/client/src/end-to-end/files.js';
import type { Fragment } from '../../../packages/client/src/end-to-end/fragment.js';
import { parseFragment } from '../../../packages/client/src/end-to-end/fragment.js';
import { decryptPayload } from '../../../packages/client/src/end-to-end/payload.js';
import { decryptPayloadWith } from '../../../packages/client/src/end-to-end/recipient-encryption.js';
import { proofOf } from '../../../packages/client/src/end-to-end/secret.js';
import { Settings } from '../../platform/settings/settings.js';
import { DAY_MS, MIB } from '../../platform/settings/units.js';
import { Push } from '../../pushes/push/push.entity.js';
import { axeErrors } from '../../../test/browser/support/axe.js';
import { startSite } from '../../../test/browser/support/site.js';
import { streamOf } from '../../../test/end-to-end/streams.js';
import { digest, download, linksOf } from '../../../test/support/files.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { ageRecipient, ask } from '../../../test/support/requests.js';
import { startHoldingProxy } from '../../../test/support/holding-proxy.js';
import { PartialUpload } from './upload.entity.js';
import { UploadRemoval } from './upload-removal.js';

describe('Large files in a form', () => {
  const site = startSite({
    settings: { ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' },
    url: () => proxy.url,
    expected: /^Failed to load resource/,
  });
  const { running, person } = site;
  const proxy = forAllTests(() => startHoldingProxy(running.url));
  const folder = forAllTests(() => {
    const path = mkdtempSync(join(tmpdir(), 'uploads-'));
    return {
      path,
      stop: () => {
        rmSync(path, { recursive: true });
        return Promise.resolve();
      },
    };
  });

  beforeEach(async () => {
    for (const direction of ['up', 'down'] as const) proxy.allow(direction);
    running.app.get(Settings).END_TO_END = 'offered';
    await running.dataSource.manager.deleteAll(Push);
    await site.signIn();
    await person.visit('/');
    await person.page.getByRole('radio', { name: 'Files' }).check();
  });
  afterEach(async () => {
    await endUploads();
  });

  const endUploads = () => running.app.get(UploadRemoval).removeEnded(new Date(Date.now() + 2 * DAY_MS));

  /** A file on the disk, of which the same is chosen again after a reload. */
  function file(name: string, size: number, modified = 1_700_000_000): { path: string; content: Buffer } {
    const path = join(folder.path, name);
    const content = randomBytes(size);
    writeFileSync(path, content);
    utimesSync(path, modified, modified);
    return { path, content };
  }

  const choose = (...files: { path: string }[]) =>
    person.page.locator('#files').setInputFiles(files.map(({ path }) => path));
  const bar = () => person.page.locator('.action-bar');
  const button = (name: string) => person.page.getByRole('button', { name, exact: true });
  const alert = (text: string) => person.page.getByRole('alert').getByText(text).waitFor();
  const label = (text: string) => bar().getByText(text, { exact: true }).waitFor();
  const percent = () => person.page.locator('[data-percent]').textContent();
  const uploads = () => running.dataSource.manager.find(PartialUpload);
  const ready = () => person.waitForHeading('Your link is ready');
  const tokenIn = (link: string) => /\/p\/([\w-]{43})/.exec(link)?.[1] ?? '';
  const kept = () => person.page.evaluate<string | null>("localStorage.getItem('sealpush.uploads')");

  /** The digests of the files of a push that the server has encrypted. */
  async function digestsOf(link: string): Promise<string[]> {
    const urls = await linksOf(running.anonymous, tokenIn(link));
    return Promise.all(urls.map(async (url) => digest((await download(url)).bytes)));
  }

  /** The same of one that the browser has encrypted. */
  async function decryptedDigestsOf(link: string): Promise<string[]> {
    const fragment = parseFragment(link.split('#')[1] ?? '') as Fragment;
    const { body } = await running.anonymous.retrieve(tokenIn(link), await proofOf(fragment, ''));
    const { files } = await decryptPayload(body.payload, fragment, '');
    return Promise.all(files.map((each, i) => decryptedDigest(body.files[i].url, each)));
  }

  async function decryptedDigest(url: string, described: EnvelopeFile): Promise<string> {
    const encrypted = new Uint8Array((await download(url)).bytes);
    return digest(await buffer(await decryptFileWith(streamOf(encrypted), described, fileKeyOf)));
  }

  const link = () => person.page.locator('#link').inputValue();

  /** Begins to send, until so many bytes have arrived. */
  async function sendUntilHeld(bytes: number): Promise<void> {
    proxy.allow('up', bytes);
    await person.press('Create link');
    await proxy.held('up');
  }

  /** Breaks the line twice, and takes it away once. */
  async function breakThreeTimes(bytes: number): Promise<void> {
    for (let i = 0; i < 2; i++) {
      proxy.cut();
      proxy.allow('up', bytes);
      await proxy.held('up');
    }
    await person.context.setOffline(true);
    proxy.cut();
    await label('Interrupted. It continues by itself.');
    proxy.allow('up');
    await person.context.setOffline(false);
  }

  it.each(['server', 'browser'])(
    'are encrypted by the %s if that was chosen when they were sent, and nothing in the form changes meanwhile',
    async (chosen) => {
      const large = file('backup.iso', 24 * MIB);
      const choice = (who: string) => person.page.locator(`[name=encryption][value=${who}]`);
      await (await person.unfolded(choice(chosen))).check();
      await choose(large);
      await person.page.getByLabel('Message (optional)').focus();
      proxy.allow('up', 9 * MIB);
      await person.page.keyboard.press('Control+Enter');
      await proxy.held('up');
      expect(await person.page.locator(':focus').textContent()).toBe('Cancel');
      expect(await person.page.locator('form#make .body').evaluate((body: any) => body.inert)).toBe(true);
      await drop(file('other.iso', MIB).path);
      await choice(chosen === 'server' ? 'browser' : 'server').evaluate((other: any) => {
        other.checked = true;
        other.form.dispatchEvent(new other.ownerDocument.defaultView.Event('change'));
      });
      proxy.allow('up');
      await ready();

      const digests = chosen === 'server' ? digestsOf : decryptedDigestsOf;
      expect(await digests(await link())).toEqual([digest(large.content)]);
    },
  );

  it('arrive whole although the network breaks three times, and what was typed stays', async () => {
    const large = file('backup.iso', 40 * MIB);
    await choose(large);
    await person.fill({ 'Message (optional)': 'as you asked' });
    proxy.passed('up');
    await sendUntilHeld(9 * MIB);
    expect(parseInt((await percent()) ?? '')).toBeGreaterThan(10);
    await breakThreeTimes(9 * MIB);
    await ready();

    expect(await digestsOf(await link())).toEqual([digest(large.content)]);
    expect(proxy.passed('up')).toBeLessThan(60 * MIB);
    expect(await person.page.getByText('1 file, 40\u00a0MB · with a message').isVisible()).toBe(true);
    expect(await kept()).toBeNull();
    expect(await uploads()).toEqual([]);
  });

  it('are encrypted in the browser while they are sent, and arrive whole although the network breaks three times', async () => {
    running.app.get(Settings).END_TO_END = 'default';
    await person.page.reload();
    await person.page.getByRole('radio', { name: 'Files' }).check();
    const [large, small] = [file('backup.iso', 40 * MIB), file('notes.txt', 1000)];
    await choose(large, small);
    await sendUntilHeld(9 * MIB);
    expect(await kept()).toMatch(/^(\[|,|\{"path":"\/uploads\/[\w-]{43}","endsAt":\d+\}|\])+$/); // to delete it
    await breakThreeTimes(9 * MIB);
    await ready();

    const digests = [digest(large.content), digest(small.content)];
    expect(await decryptedDigestsOf(await link())).toEqual(digests);
    expect(await uploads()).toEqual([]);
  });

  it('can be paused and continued with the keyboard', async () => {
    const large = file('backup.iso', 24 * MIB);
    await choose(large);
    await sendUntilHeld(9 * MIB);
    await button('Pause').focus();
    await person.page.keyboard.press('Enter');
    await label('Paused');
    proxy.allow('up');
    const before = await percent();

    expect(await axeErrors(person.page)).toEqual([]);
    expect(await person.page.locator(':focus').textContent()).toBe('Continue');
    expect(await percent()).toBe(before);
    await person.page.keyboard.press('Enter');
    await ready();
    expect(await digestsOf(await link())).toEqual([digest(large.content)]);
  });

  it('continue after the page was loaded again and the same file was chosen, also in another order', async () => {
    const [large, other] = [file('backup.iso', 40 * MIB), file('other.iso', 9 * MIB)];
    await choose(large);
    await sendUntilHeld(20 * MIB);
    await person.press('Pause');
    await label('Paused');
    proxy.allow('up');
    await person.page.reload();
    const banner = person.page.locator('.banner', { hasText: 'Interrupted uploads.' });
    await banner.getByText(/^\d\d% of 40\u00a0MB$/).waitFor();
    expect(await axeErrors(person.page)).toEqual([]);
    const [chooser] = await Promise.all([
      person.page.waitForEvent('filechooser'),
      banner.getByRole('button', { name: 'Choose again' }).click(),
    ]);
    await chooser.setFiles([other.path, large.path]);
    await banner.getByText('Continues when you send the form.').waitFor();
    expect(await banner.getByRole('listitem').count()).toBe(0);
    expect(await person.page.locator(':focus').getAttribute('data-choose')).not.toBeNull();
    await button('Remove backup.iso').click();
    await banner.getByRole('listitem').waitFor();
    expect(await banner.getByText('Continues when you send the form.').count()).toBe(0);
    await drop(large.path);
    await banner.getByText('Continues when you send the form.').waitFor();
    proxy.passed('up');
    await person.press('Create link');
    await banner.waitFor({ state: 'hidden' });
    await ready();

    expect(await digestsOf(await link())).toEqual([digest(other.content), digest(large.content)]);
    expect(proxy.passed('up')).toBeLessThan(36 * MIB);
    expect(await kept()).toBeNull();
  });

  /** Drops a file on the page: the one that was chosen in another field. */
  async function drop(path: string): Promise<void> {
    const other = person.page.locator('body').evaluateHandle((body: any) => {
      const input = body.ownerDocument.createElement('input');
      input.type = 'file';
      return input;
    });
    await (await other).asElement()?.setInputFiles(path);
    await person.page.evaluate(
      (input: any) => {
        const transfer = new input.ownerDocument.defaultView.DataTransfer();
        transfer.items.add(input.files[0]);
        const { DragEvent } = input.ownerDocument.defaultView;
        input.ownerDocument.dispatchEvent(
          new DragEvent('drop', { dataTransfer: transfer, cancelable: true }),
        );
      },
      await other,
    );
  }

  it('do not continue as another file of the same name, size and time', async () => {
    await choose(file('backup.iso', 24 * MIB));
    await sendUntilHeld(17 * MIB);
    await person.press('Pause');
    await label('Paused');
    proxy.allow('up');
    await person.page.reload();
    const other = file('backup.iso', 24 * MIB);
    await person.page.getByText('Interrupted uploads.').waitFor();
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await choose(other);
    await person.page.getByText('backup.iso is not the file that was interrupted.').waitFor();
    expect(await kept()).toBeNull();
    await expectNoBytes();
    await person.press('Create link');
    await ready();

    expect(await digestsOf(await link())).toEqual([digest(other.content)]);
  });

  it('are not offered on an insecure page, nor before anything has arrived', async () => {
    await choose(file('backup.iso', 24 * MIB));
    await sendUntilHeld(MIB);
    await person.press('Pause');
    await label('Paused');
    proxy.cut();
    proxy.allow('up');
    await person.page.reload();
    await expectNoBytes();
    expect(await person.page.getByText('Interrupted uploads.').count()).toBe(0);

    await person.page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })");
    await person.page.reload();
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await choose(file('backup.iso', 24 * MIB));
    await sendUntilHeld(17 * MIB);
    await person.press('Pause');
    await label('Paused');
    expect(await kept()).toBeNull();
  });

  it('that the browser was encrypting as it crashed are deleted at the next visit', async () => {
    running.app.get(Settings).END_TO_END = 'default';
    await person.page.reload();
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await choose(file('backup.iso', 24 * MIB));
    await sendUntilHeld(17 * MIB);
    const page = await person.context.newPage();
    await person.page.close(); // nothing passes, so nothing is deleted
    proxy.cut();
    proxy.allow('up');
    expect(await uploads()).toHaveLength(1);
    await page.goto(proxy.url);
    await expectNoBytes();

    expect(await page.evaluate("localStorage.getItem('sealpush.uploads')")).toBeNull();
  });

  it('stay paused however fast the button was pressed', async () => {
    await choose(file('backup.iso', 24 * MIB));
    await sendUntilHeld(9 * MIB);
    const requested: string[] = [];
    person.page.on('request', (request) => requested.push(request.method()));
    await button('Pause').evaluate((pause: any) => {
      for (let i = 0; i < 3; i++) pause.click();
    });
    proxy.allow('up');
    await label('Paused');
    await person.page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');

    expect(requested).toEqual([]);
    await person.press('Continue');
    await ready();
  });

  it('say that their time is over, and begin anew when they are sent again', async () => {
    const large = file('backup.iso', 24 * MIB);
    await choose(large);
    await sendUntilHeld(17 * MIB);
    await person.press('Pause');
    await label('Paused');
    proxy.cut();
    proxy.allow('up');
    await endUploads();
    await person.press('Continue');
    await alert('The upload of backup.iso has ended:');
    await expectNoBytes();
    await person.press('Create link');
    await ready();

    expect(await digestsOf(await link())).toEqual([digest(large.content)]);
  });

  const answer = (status: number, form: string) => ({
    status,
    headers: { 'Tus-Resumable': '1.0.0', 'Retry-After': '1' },
    json: { errors: { form } },
  });

  it('say what the server says each time while it cannot take them', async () => {
    let isBusy = true;
    await person.page.route('**/uploads', (route) =>
      isBusy ? route.fulfill(answer(503, 'The store is full.')) : route.continue(),
    );
    await choose(file('backup.iso', 12 * MIB));
    await person.press('Create link');
    await label('Interrupted. It continues by itself.');
    await label('The store is full.');
    isBusy = false;
    await ready();
  });

  it.each([
    [429, 'At most 10 uploads.'],
    [507, 'There is too little space.'],
  ])('are not begun, and the server says why (%d)', async (status, reason) => {
    await person.page.route('**/uploads', (route) => route.fulfill(answer(status, reason)));
    await choose(file('backup.iso', 12 * MIB));
    await person.press('Create link');

    await alert(reason);
  });

  it('are not sent when the texts cannot be loaded', async () => {
    await person.page.route('**/uploads.en.json', (route) => route.fulfill({ status: 502, body: '' }));
    await choose(file('backup.iso', 12 * MIB));
    await person.press('Create link');

    await alert('No answer from the server.');
    await person.page.unrouteAll();
    await person.press('Create link');
    await ready();
  });

  it('that were interrupted can be deleted, and are not offered while another tab sends them', async () => {
    await choose(file('backup.iso', 24 * MIB));
    await sendUntilHeld(9 * MIB);
    await person.press('Pause');
    await label('Paused');
    proxy.allow('up');
    const page = await person.context.newPage();
    await page.goto(person.page.url());
    await page.getByRole('radio', { name: 'Files' }).check();
    await person.page.close();
    expect(await page.getByText('Interrupted uploads.').count()).toBe(0);
    await page.reload();
    await page.getByText('Interrupted uploads.').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Interrupted uploads.').waitFor({ state: 'detached' });
    await expectNoBytes();
    await page.reload();

    expect(await page.evaluate("localStorage.getItem('sealpush.uploads')")).toBeNull();
    expect(await page.locator(':focus').getAttribute('id')).toBe('payload');
  });

  async function expectNoBytes(): Promise<void> {
    for (let i = 0; (await uploads()).length > 0; i++) {
      if (i === 50) throw new Error('the bytes are still there');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it('are sent at the same time', async () => {
    const files = ['a.bin', 'b.bin'].map((name) => file(name, 12 * MIB));
    await choose(...files);
    await sendUntilHeld(12 * MIB);
    const begun = await uploads();
    proxy.allow('up');
    await ready();

    expect(begun).toHaveLength(2);
    expect(await digestsOf(await link())).toEqual(files.map(({ content }) => digest(content)));
  });

  it('are gone once they are cancelled, and can be sent again', async () => {
    const large = file('backup.iso', 24 * MIB);
    await choose(large);
    await person.fill({ 'Message (optional)': 'as you asked' });
    await sendUntilHeld(9 * MIB);
    await person.press('Cancel');
    await person.page.getByText('Cancelled. Nothing was sent.').waitFor();
    proxy.allow('up');
    await expectNoBytes();
    expect(await kept()).toBeNull();
    expect(await person.page.getByLabel('Message (optional)').inputValue()).toBe('as you asked');

    await person.press('Create link');
    await ready();
    expect(await digestsOf(await link())).toEqual([digest(large.content)]);
  });

  it('are not sent again when something else in the form is corrected', async () => {
    await choose(file('backup.iso', 24 * MIB));
    await person.choose('Views', 'Other…');
    await person.fill({ 'Number of views': '1000' });
    await person.press('Create link');
    await alert('Check the marked fields.');
    proxy.passed('up');
    await person.fill({ 'Number of views': '3' });
    await person.press('Create link');
    await ready();

    expect(proxy.passed('up')).toBeLessThan(MIB);
  });

  it('make one push when the response of the form was lost', async () => {
    const large = file('backup.iso', 12 * MIB);
    let posts = 0;
    await person.page.route(`${proxy.url}/`, async (route) => {
      if (route.request().method() !== 'POST') await route.continue();
      else if (++posts > 2) await route.continue();
      else {
        await route.fetch();
        await route.abort();
      }
    });
    await choose(large);
    await person.press('Create link');
    await alert('No answer from the server.');
    await person.press('Create link');
    await ready();

    expect(await digestsOf(await link())).toEqual([digest(large.content)]);
    expect(await running.dataSource.manager.count(Push)).toBe(1);
  });

  it('are sent again when the server has ended them meanwhile', async () => {
    const large = file('backup.iso', 12 * MIB);
    let isFirst = true;
    await person.page.route(`${proxy.url}/`, async (route) => {
      if (route.request().method() === 'POST' && isFirst) {
        isFirst = false;
        await endUploads();
      }
      await route.continue();
    });
    await choose(large);
    await person.press('Create link');
    await person.page.locator('#files-error').getByText('is no longer there').waitFor();
    proxy.allow('up', 4 * MIB);
    await person.press('Create link');
    await label('What had arrived was deleted meanwhile. It is sent again.');
    proxy.allow('up');
    await ready();

    expect(await digestsOf(await link())).toEqual([digest(large.content)]);
  });

  it('are not sent again after a proxy has lost the response to the form', async () => {
    let isFirst = true;
    await person.page.route(`${proxy.url}/`, async (route) => {
      if (route.request().method() !== 'POST' || !isFirst) return route.continue();
      isFirst = false;
      await route.fetch();
      return route.fulfill({ status: 502, body: 'Bad Gateway' });
    });
    await choose(file('backup.iso', 12 * MIB));
    await person.press('Create link');
    await alert('The server cannot create links at the moment.');
    proxy.passed('up');
    await person.press('Create link');
    await ready();

    expect(proxy.passed('up')).toBeLessThan(MIB);
    expect(await running.dataSource.manager.count(Push)).toBe(1);
  });

  it('are refused with the reason of the server, before anything is sent', async () => {
    const settings = running.app.get(Settings);
    const before = settings.FILES_REQUIRE_AUTHENTICATION;
    await choose(file('backup.iso', 12 * MIB));
    await person.context.clearCookies({ name: 'sealpush' });
    proxy.passed('up');
    await person.press('Create link');
    await alert('You are not signed in any more.');

    expect(before).toBe(true);
    expect(proxy.passed('up')).toBeLessThan(MIB);
    await site.signIn();
  });

  it('say when a file was changed after it was chosen', async () => {
    const large = file('backup.iso', 24 * MIB);
    await choose(large);
    await sendUntilHeld(17 * MIB);
    file('backup.iso', 25 * MIB, 1_700_000_001);
    proxy.cut();
    proxy.allow('up');

    await alert('backup.iso cannot be read any more: it was changed, moved or removed.');
  });

  it.each([
    ['server', 'offered'],
    ['browser', 'default'],
  ])('can be chosen again after they were moved, encrypted by the %s', async (_, endToEnd) => {
    running.app.get(Settings).END_TO_END = endToEnd as 'offered' | 'default';
    await person.page.reload();
    await person.page.getByRole('radio', { name: 'Files' }).check();
    const large = file('backup.iso', 24 * MIB);
    await choose(large);
    await sendUntilHeld(17 * MIB);
    const moved = join(folder.path, 'moved');
    mkdirSync(moved, { recursive: true });
    renameSync(large.path, join(moved, 'backup.iso'));
    proxy.cut();
    proxy.allow('up');
    await alert('backup.iso cannot be read any more');
    await choose({ path: join(moved, 'backup.iso') });
    proxy.passed('up');
    await person.press('Create link');
    await ready();

    const digests = endToEnd === 'offered' ? digestsOf : decryptedDigestsOf;
    expect(await digests(await link())).toEqual([digest(large.content)]);
    expect(proxy.passed('up') < 12 * MIB).toBe(endToEnd === 'offered');
  });

  it.each([
    ['server', false],
    ['browser', true],
  ])('answer a request without an account, encrypted by the %s', async (_, isEncrypted) => {
    const asker = await running.newUser();
    const { recipient, identity } = await ageRecipient();
    const asked = await ask(asker.client, isEncrypted ? { recipient } : {});
    const large = file('plan.bin', 20 * MIB);
    const stranger = await site.meet({ viewport: { width: 360, height: 740 } }, proxy.url);
    const fragment = isEncrypted ? `#${await answerFragmentOf(recipient)}` : '';
    await stranger.visit(`/requests/${asked.url_token}${fragment}`);
    await stranger.page.locator('#files').setInputFiles(large.path);
    proxy.allow('up', 9 * MIB);
    await stranger.press('Send');
    await proxy.held('up');
    await stranger.press('Pause');
    await stranger.page.getByText('Paused', { exact: true }).waitFor();
    expect(await axeErrors(stranger.page)).toEqual([]);
    proxy.cut();
    proxy.allow('up');
    await stranger.press('Continue');
    await stranger.waitForHeading('Sent');

    const { body } = await asker.client.get(`/api/v2/requests/${asked.url_token}`);
    const { body: answer } = await asker.client.retrieve(body.answer_url_tokens[0]);
    const [{ url }] = answer.files;
    if (isEncrypted) {
      const { files } = await decryptPayloadWith(answer.payload, [identity]);
      expect(await decryptedDigest(url, files[0] as EnvelopeFile)).toBe(digest(large.content));
    } else {
      expect(digest((await download(url)).bytes)).toBe(digest(large.content));
    }
  });

  it('need no script that smaller ones do not need', async () => {
    const requested: string[] = [];
    person.page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await choose(file('small.bin', 8 * MIB));
    await person.press('Create link');
    await ready();

    expect(requested.filter((path) => /uploads/.test(path))).toEqual([]);
  });
});
