import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFaultyProxy } from '../support/faulty-proxy.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { spawnServer } from '../support/spawn-server.js';
import { launch } from './support/browser.js';
import { Person } from './support/person.js';

const SECRETS = 20;
/** Files are offered from memory, as in browsers that let nobody choose where they are saved. */
const WITHOUT_PICKER = 'delete window.showSaveFilePicker';

/** Answers to each request. */
const ANSWERS_EACH = 5;
/** Of the requests that this browser has made. */
const KEPT_IDENTITIES = `new Promise((resolve) => {
  indexedDB.open('sealpush').onsuccess = ({ target }) => {
    const all = target.result.transaction('keys').objectStore('keys').getAll();
    all.onsuccess = () => resolve(all.result.map(({ identity }) => identity));
  };
})`;

interface Secret {
  text: string;
  passphrase: string;
  file?: { name: string; mimeType: string; buffer: Buffer };
}

/** Every third one has a file, and every fourth a passphrase, which takes the browser seconds. */
function newSecret(index: number): Secret {
  const marker = (what: string) => `${what}-${randomBytes(9).toString('hex')}`;
  return {
    text: marker('text'),
    passphrase: index % 4 === 0 ? marker('passphrase') : '',
    file:
      index % 3 === 0
        ? { name: `${marker('name')}.txt`, mimeType: 'text/plain', buffer: Buffer.from(marker('content')) }
        : undefined,
  };
}

function markersOf({ text, passphrase, file }: Secret): string[] {
  return [text, passphrase, file?.name, file?.buffer.toString()].filter((marker) => marker) as string[];
}

describe('What the server has of secrets that browsers encrypt', () => {
  const instance = forAllTests(makeInstance);
  const server = forAllTests(() =>
    spawnServer(instance, {
      FILES_REQUIRE_AUTHENTICATION: 'false',
      ANSWERS_PER_MINUTE: '0',
      LOG_LEVEL: 'debug',
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${instance.dataDir}`,
    }),
  );
  const proxy = forAllTests(() => startFaultyProxy(server.url));
  const [sender, recipient] = [new Person(), new Person()];

  beforeAll(async () => {
    await sender.enter(await launch(), proxy.url);
    await recipient.enter(await launch(), proxy.url);
    await recipient.context.addInitScript(WITHOUT_PICKER);
  });
  afterAll(() => Promise.all([sender.context.close(), recipient.context.close()]));

  async function share({ text, passphrase, file }: Secret): Promise<string> {
    const { page } = sender;
    await sender.visit('/');
    if (file) {
      await page.getByRole('radio', { name: 'Files' }).check();
      await page.locator('#files').setInputFiles(file);
    }
    await page.locator('#payload').fill(text);
    if (passphrase !== '') await (await sender.unfolded(page.locator('#passphrase'))).fill(passphrase);
    return sender.createLink();
  }

  async function open(link: string, { text, passphrase, file }: Secret): Promise<void> {
    const { page } = recipient;
    await recipient.visit(link);
    if (passphrase !== '') await page.locator('input[name=passphrase]').fill(passphrase);
    await recipient.showSecret();
    await eventually(async () => (await page.locator('#secret').textContent()) === text);
    if (!file) return;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: `Download ${file.name}`, exact: true }).click(),
    ]);
    const content = Buffer.concat(await (await download.createReadStream()).toArray());
    expect(content.toString()).toBe(file.buffer.toString());
  }

  /** The name of its file. The process does nothing else while it writes it. */
  async function takeHeapSnapshot(): Promise<string> {
    const before = await readdir(instance.dataDir);
    const found = async () =>
      (await readdir(instance.dataDir)).find(
        (name) => name.endsWith('.heapsnapshot') && !before.includes(name),
      );
    server.process.kill('SIGUSR2');
    await eventually(async () => (await found()) !== undefined);
    await server.anonymous.get('/up');
    return (await found()) ?? '';
  }

  /** Files of the server: its database with the log, its file store, and the snapshot of its memory. */
  async function filesOnDisk(): Promise<[name: string, content: Buffer][]> {
    const entries = await readdir(instance.dataDir, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    return Promise.all(paths.map(async (path) => [path, await readFile(path)] as [string, Buffer]));
  }

  /** Where a text is in what the server has received, logged, stored and kept in memory. */
  async function search(): Promise<(marker: string) => string[]> {
    const places: [string, Buffer][] = [
      ['requests', Buffer.from(proxy.received())],
      ['log', Buffer.from(server.output())],
      ...(await filesOnDisk()),
    ];
    expect(places.length).toBeGreaterThan(4);
    return (marker) => places.filter(([, content]) => content.includes(marker)).map(([name]) => name);
  }

  /** Returns the link to answer. */
  async function ask(): Promise<string> {
    const { page } = recipient;
    await recipient.visit('/requests/new');
    await page.locator('#request').fill('Your key, please');
    await (await recipient.unfolded(page.locator('#answers'))).fill(String(ANSWERS_EACH));
    return recipient.createLink();
  }

  async function respond(link: string, { text, file }: Secret): Promise<void> {
    const { page } = sender;
    await sender.visit('/');
    await sender.visit(link);
    await page.locator('#payload').fill(text);
    if (file) await page.locator('#files').setInputFiles(file);
    await sender.press('Send');
    await sender.waitForHeading('Sent');
  }

  it(`is no text, name, content, passphrase or key of ${SECRETS} of them`, async () => {
    const secrets = Array.from({ length: SECRETS }, (_, index) => newSecret(index));
    const markers: string[] = [];
    for (const secret of secrets) {
      const link = await share(secret);
      markers.push(...markersOf(secret), link.split('#').at(-1)?.slice(1) ?? '');
      await open(link, secret);
    }
    const snapshot = await takeHeapSnapshot();
    const hits = await search();

    expect(markers).toHaveLength(59); // 20 texts and keys, 7 names and contents, 5 passphrases
    expect(markers.filter((marker) => marker.length < 20)).toEqual([]);
    expect(markers.flatMap(hits)).toEqual([]);
    // the search finds what is there
    expect(hits('BEGIN AGE ENCRYPTED FILE')).toContain('requests');
    expect(hits('age-encryption.org/v1')).toContain('requests');
    expect(hits('ExpirySchedule')).toContain(join(instance.dataDir, snapshot));
  }, 300_000);

  it(`is no text, name or content of ${SECRETS} answers to requests, and no key of a requester`, async () => {
    await recipient.signUpAndIn('ada@example.org', 'seven green rivers');
    const markers: string[] = [];
    for (let i = 0; i < SECRETS / ANSWERS_EACH; i++) {
      const link = await ask();
      for (let answer = 0; answer < ANSWERS_EACH; answer++) {
        const secret = newSecret(3 * answer); // each with a file
        markers.push(...markersOf({ ...secret, passphrase: '' }));
        await respond(link, secret);
      }
    }
    const identities = await recipient.page.evaluate<string[]>(KEPT_IDENTITIES);
    markers.push(...identities);
    const snapshot = await takeHeapSnapshot();
    const hits = await search();

    expect(markers).toHaveLength(3 * SECRETS + SECRETS / ANSWERS_EACH);
    expect(identities.filter((identity) => !/^AGE-SECRET-KEY-PQ-1\w{58}$/.test(identity))).toEqual([]);
    expect(markers.flatMap(hits)).toEqual([]);
    expect(hits('AGE-SECRET-KEY')).toEqual([]);
    expect(hits('mlkem768x25519')).toEqual([]); // in armour, so not in clear
    expect(hits('age1pq1')).toContain('requests');
    expect(hits('ExpirySchedule')).toContain(join(instance.dataDir, snapshot));
  }, 300_000);
});
