import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MIB } from '../../src/platform/settings/units.js';
import type { Folder } from '../support/folder.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { freePort } from '../support/free-port.js';
import { makeInstance } from '../support/instance.js';
import { nginx } from '../support/nginx.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';
import { startTlsProxy } from '../support/tls-proxy.js';
import type { RunSealpush } from './support/sealpush.js';
import { printedBy, runNode, sealpushOf } from './support/sealpush.js';

/** More than one part. */
const LARGE = 20 * MIB;
const REQUESTS = { ENABLE_REQUESTS_API: 'true' };

interface People {
  /** Has an account. */
  sender: RunSealpush;
  recipient: RunSealpush;
  folder: Folder;
}

async function expectTextAndFile({ sender, recipient, folder }: People, base: string): Promise<void> {
  const content = randomBytes(LARGE);
  const path = folder.file(content, 'backup.bin');
  const textLink = printedBy(await sender(['push', '--views', '1'], 'correct horse'));
  const fileLink = printedBy(await sender(['push', '--file', path]));

  expect(textLink.startsWith(`${base}/p/`)).toBe(true);
  expect(printedBy(await recipient(['show', textLink]))).toBe('encrypted end to end');
  expect(printedBy(await recipient(['open', textLink]))).toBe('correct horse');
  expect((await recipient(['open', textLink])).code).toBe(4);
  expect((await recipient(['open', fileLink])).stdout.equals(content)).toBe(true);
  expect(printedBy(await sender(['audit', textLink])).match(/\tview\t/g)).toHaveLength(1);
  printedBy(await sender(['expire', fileLink]));
  expect((await recipient(['open', fileLink])).code).toBe(4);
}

async function expectAnswer({ sender, recipient, folder }: People, base: string): Promise<void> {
  const content = randomBytes(LARGE);
  const path = folder.file(content, 'answer.bin');
  const link = printedBy(await sender(['ask', 'The backup']));
  printedBy(await recipient(['answer', link, '--file', path], 'as you asked'));

  expect(link.startsWith(`${base}/requests/`)).toBe(true);
  expect(printedBy(await sender(['answers', link, '-o', folder.path]))).toBe('as you asked');
  expect((await readFile(join(folder.path, 'answer (2).bin'))).equals(content)).toBe(true);
}

const hasNginx = nginx.path !== undefined;
if (!hasNginx) console.error('!!! NO NGINX: the command is not tested behind TLS and below a path !!!');

(hasNginx ? describe : describe.skip).each([
  ['of its own host', 'nginx.conf', ''],
  ['below a path', 'nginx-sub-path.conf', '/push'],
])('An installation %s, with a certificate of a private authority', (_where, file, path) => {
  let port: number;
  beforeAll(async () => (port = await freePort()));
  const base = () => `https://localhost:${port}${path}`;
  const running = forAllTests(() =>
    startApp({ PUBLIC_URL: base(), TRUSTED_PROXIES: '127.0.0.1', ...REQUESTS }),
  );
  const owner = forAllTests(() => running.newUser());
  const proxy = forAllTests(() => startTlsProxy(nginx, file, 'localhost', running.url, port));
  const folder = forEachTest(makeFolder);

  const trusting = () => ({ NODE_EXTRA_CA_CERTS: join(proxy.folder, 'certificate.pem') });
  const sender = sealpushOf(
    () => folder.path,
    () => ({ SEALPUSH_URL: `${base()}/`, SEALPUSH_TOKEN: owner.token, ...trusting() }),
  );
  const recipient = sealpushOf(() => folder.path, trusting);

  it('takes a text and a file in parts from the command, which opens both', async () => {
    await expectTextAndFile({ sender, recipient, folder }, base());
  });

  it('has a request answered by the command, with a file in parts', async () => {
    await expectAnswer({ sender, recipient, folder }, base());
  });

  it('is used by a program', async () => {
    const program = `
      import { SealpushClient } from '${pathToFileURL('packages/client/dist/index.js').href}';
      const { SERVER: server, TOKEN: token } = process.env;
      const { link } = await new SealpushClient({ server, token }).push({ text: 'tulip' });
      console.log((await new SealpushClient({ server }).open(link)).text);`;
    const args = ['--input-type=module', '--eval', program];
    const result = await runNode(args, '', { SERVER: base(), TOKEN: owner.token, ...trusting() });

    expect(printedBy(result)).toBe('tulip');
  });

  it('gets nothing from a command that does not trust its certificate', async () => {
    const trustless = sealpushOf(
      () => folder.path,
      () => ({ SEALPUSH_URL: base(), SEALPUSH_TOKEN: owner.token }),
    );
    const countPushes = () => running.query('SELECT COUNT(*) AS n FROM pushes');
    const before = await countPushes();
    const result = await trustless(['push'], 'tulip');

    expect(result).toMatchObject({ code: 7, stderr: expect.stringContaining('certificate') });
    expect(await countPushes()).toEqual(before);
  });
});

describe('An installation whose links lead to a gateway', () => {
  let port: number;
  beforeAll(async () => (port = await freePort()));
  const base = () => `http://127.0.0.1:${port}`;
  const instance = forAllTests(makeInstance);
  const inside = forAllTests(() => spawnServer(instance, { PUBLIC_URL: base(), ...REQUESTS }));
  const gateway = forAllTests(() =>
    spawnServer(instance, { ROLE: 'gateway', PORT: String(port), PUBLIC_URL: base(), ...REQUESTS }),
  );
  const folder = forEachTest(makeFolder);
  let token: string;

  beforeAll(async () => {
    ({ token } = JSON.parse((await cli(instance, 'user:create', 'owner@example.org')).stdout));
  });

  const sender = sealpushOf(
    () => folder.path,
    () => ({ SEALPUSH_URL: inside.url, SEALPUSH_TOKEN: token }),
  );
  const recipient = sealpushOf(
    () => folder.path,
    () => ({}),
  );

  it('takes a text and a file in parts from the command, which opens both at the gateway', async () => {
    expect(gateway.url).toBe(base());
    await expectTextAndFile({ sender, recipient, folder }, base());
  });

  it('has a request answered by the command at the gateway, with a file in parts', async () => {
    await expectAnswer({ sender, recipient, folder }, base());
  });

  it('says at the gateway that nothing can be created there', async () => {
    const outside = sealpushOf(
      () => folder.path,
      () => ({ SEALPUSH_URL: base(), SEALPUSH_TOKEN: token }),
    );

    expect(await outside(['push'], 'tulip')).toMatchObject({ code: 3, stdout: Buffer.alloc(0) });
  });
});
