import type { IncomingMessage } from 'node:http';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { AccountRemovalService } from '../../src/pushes/account-removal/account-removal.service.js';
import { MIB } from '../../src/platform/settings/units.js';
import { OpenCode } from '../../src/pushes/recipients/open-code.entity.js';
import { Opening } from '../../src/pushes/recipients/open-codes.service.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { download } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { newestPush } from '../support/new-pushes.js';
import type { SignedInUser } from '../support/page-client.js';
import { asData, newSignedInUser, PageClient } from '../support/page-client.js';
import { askForCode, Recipients } from '../support/recipients.js';
import { stalledReader } from '../support/stalled-reader.js';
import { startApp } from '../support/start-app.js';

const ADA = 'ada@example.org';
const BOB = 'bob@example.org';
/** More than what is on its way between the service and a client that does not read. */
const LARGE = 32 * MIB;

describe('A recipient who is removed', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp(server.env));
  const recipients = forAllTests(() => new Recipients(running, server));
  let owner: SignedInUser;
  let urlToken: string;

  beforeEach(async () => {
    await recipients.reset();
    owner = await newSignedInUser(running);
    urlToken = await push();
  });

  /** Created on a page by the owner, whose account has no API token. */
  const push = async (fields: Record<string, string> = {}, files: object[] = []): Promise<string> => {
    const form = new FormData();
    const given = { payload: 'tulip', recipients: `${ADA},${BOB}`, ...fields };
    for (const [name, value] of Object.entries(given)) form.append(`push[${name}]`, value);
    for (const file of files) form.append('push[files][]', file as Blob, 'a.bin');
    const { body } = await owner.pageClient.post('/', form);
    return /\/p\/([\w-]{43})/.exec(body)?.[1] ?? '';
  };
  const change = (fields: Record<string, string>) =>
    owner.pageClient.post(`/p/${urlToken}/recipients`, fields);
  const activity = async () => (await owner.pageClient.get(`/p/${urlToken}/audit`)).body;
  const linksWith = async (code: string) => {
    const { body } = await recipients.open(urlToken, ADA, code);
    return (body.files as { url: string }[]).map(({ url }) => url.replace(/^https:\/\/[^/]+/, running.url));
  };

  it('cannot open the push any more, with a code from before', async () => {
    const [ofAda, ofBob] = [await recipients.codeFor(urlToken, ADA), await recipients.codeFor(urlToken, BOB)];
    expect((await change({ remove: ADA })).status).toBe(303);
    await askForCode(running.anonymous, urlToken, ADA);

    expect((await recipients.open(urlToken, ADA, ofAda)).status).toBe(401);
    expect((await recipients.codesOf(ADA)).length).toBe(1);
    expect((await recipients.open(urlToken, BOB, ofBob)).body.payload).toBe('tulip');
  });

  it('can open it again when added again', async () => {
    await change({ remove: ADA });
    await change({ add: ' ADA@example.org ' });

    expect((await recipients.open(urlToken, ADA, await recipients.codeFor(urlToken, ADA))).body.payload).toBe(
      'tulip',
    );
    expect(await activity()).toContain(`by ${asData('ada@example.org')}`);
  });

  it('has no view after the removal, however many open it at the same time (A1)', async () => {
    urlToken = await push({ recipients: `${ADA},@example.com`, expire_after_views: '60' });
    const email = (caller: number) => `a${caller}@example.com`;
    await allAtOnce(20, (caller) => askForCode(running.anonymous, urlToken, email(caller)));
    const codes = await Promise.all(
      Array.from({ length: 20 }, async (_, caller) => (await recipients.codesOf(email(caller)))[0] ?? ''),
    );
    const opening = allAtOnce(20, (caller) => recipients.open(urlToken, email(caller), codes[caller] ?? ''));
    const removing = change({ remove: '@example.com' });
    const [opened] = await Promise.all([opening, removing]);
    const { id: pushId } = await newestPush(running);
    const entries = await running.dataSource.manager.find(AuditEntry, {
      where: { pushId },
      order: { id: 'ASC' },
    });
    const afterRemoval = entries.slice(entries.findLastIndex(({ kind }) => kind === 'edit') + 1);

    expect(afterRemoval.filter(({ kind }) => kind === 'view')).toEqual([]);
    expect(opened.every(({ status }) => status === 200 || status === 401)).toBe(true);
  });

  it('cannot use download links from before, while others can (F4)', async () => {
    urlToken = await push({}, [new Blob(['rose']), new Blob(['iris'])]);
    const [first = '', second = ''] = await linksWith(await recipients.codeFor(urlToken, ADA));
    const { body } = await recipients.open(urlToken, BOB, await recipients.codeFor(urlToken, BOB));
    const ofBob = new URL((body.files as { url: string }[])[0]?.url ?? '').pathname;
    const head = (path: string) => running.anonymous.head(path);

    expect((await download(first)).bytes.toString()).toBe('rose');
    await change({ remove: ADA });

    for (const url of [first, second]) {
      expect((await download(url)).status).toBe(403);
      expect((await download(url, { Range: 'bytes=1-2' })).status).toBe(403);
      expect((await head(new URL(url).pathname)).status).toBe(403);
    }
    expect((await download(`${running.url}${ofBob}`)).bytes.toString()).toBe('rose');
  });

  it('cannot use the link to all files either (F4)', async () => {
    urlToken = await push({}, [new Blob(['rose']), new Blob(['iris'])]);
    const browser = new PageClient(running.url);
    await browser.post(`/p/${urlToken}/code`, { email: ADA });
    const [code = ''] = await recipients.codesOf(ADA);
    const { body } = await browser.post(`/p/${urlToken}`, { code });
    const [, path = ''] = /(\/files\/all\/[\w-]+)/.exec(body) ?? [];
    expect((await running.anonymous.head(path)).status).toBe(200);
    await change({ remove: ADA });

    expect((await running.anonymous.head(path)).status).toBe(403);
  });

  it('does not get the rest of a download that is running (F4)', async () => {
    urlToken = await push({}, [new Blob([new Uint8Array(LARGE)])]);
    const [url = ''] = await linksWith(await recipients.codeFor(urlToken, ADA));
    const whole = await stalledReader(url);
    expect(await bytesOf(whole)).toBe(LARGE);

    const cut = await stalledReader(url);
    await change({ remove: ADA });

    expect(await bytesOf(cut)).toBeLessThan(LARGE);
    expect(cut.complete).toBe(false);
  });

  it('is named in the list of the owner, who cannot remove the last one', async () => {
    expect(await activity()).toContain(asData('ada@example.org'));
    await change({ remove: ADA });
    expect(await activity()).not.toContain(asData('ada@example.org'));

    const { status, body } = await change({ remove: BOB });
    expect([status, body]).toEqual([422, expect.stringContaining('Fill in this field')]);
    expect(await activity()).toContain(asData('bob@example.org'));
  });

  it.each(['ada', `${ADA}\nBcc: x@example.org`, BOB, '@'])('is not added as %j', async (add) => {
    const { status, body } = await change({ add });

    expect([status, body]).toEqual([422, expect.stringContaining('class="error"')]);
  });

  it('is removed by the owner alone, while the push is active (C1, C7)', async () => {
    const other = await newSignedInUser(running);
    expect((await other.pageClient.post(`/p/${urlToken}/recipients`, { remove: ADA })).status).toBe(404);
    await owner.pageClient.post(`/p/${urlToken}/delete`);

    expect((await change({ remove: ADA })).status).toBe(404);
  });

  it('cannot be added to a push that named nobody', async () => {
    urlToken = await push({ recipients: '' });

    expect((await change({ add: ADA })).status).toBe(422);
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('tulip');
  });

  it('leaves nothing behind when the account is removed', async () => {
    await running.dataSource.manager.deleteAll(OpenCode);
    await running.dataSource.manager.deleteAll(Opening);
    await recipients.open(urlToken, ADA, await recipients.codeFor(urlToken, ADA));
    await recipients.codeFor(urlToken, BOB);
    await running.app.get(AccountRemovalService).remove(owner);

    expect((await running.anonymous.retrieve(urlToken)).status).toBe(404);
    expect(await running.dataSource.manager.count(OpenCode)).toBe(0);
    expect(await running.dataSource.manager.count(Opening)).toBe(0);
  });
});

/** Reads to the end, or until the connection breaks. */
function bytesOf(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length));
  response.resume();
  return new Promise((resolve) => {
    response.once('close', () => {
      resolve(bytes);
    });
  });
}
