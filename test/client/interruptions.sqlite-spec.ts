import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIB } from '../../src/platform/settings/units.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forEachTest, forThisTest } from '../support/for-tests.js';
import { startHoldingProxy } from '../support/holding-proxy.js';
import { startApp } from '../support/start-app.js';
import { linkOf, Sealpush } from './support/sealpush.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;

describe('The command, when it is interrupted', () => {
  const running = forAllTests(startApp);
  const owner = forEachTest(() => running.newUser());
  const folder = forEachTest(makeFolder);
  const sealpush = new Sealpush(running, owner, folder);
  const output = () => join(folder.path, 'output');

  /** A push with a file, opened once, whose link leads to the proxy. */
  const pushFile = async (content: Buffer, proxy: { url: string }): Promise<string> => {
    const path = folder.file(content, 'a.bin');
    const pushed = await sealpush.run(['push', '--views', '1', '--file', path], 'a note');
    return linkOf(pushed).replace(running.url, proxy.url);
  };
  const viewsOf = async (link: string): Promise<number> => {
    const urlToken = /\/p\/([\w-]+)/.exec(link)?.[1];
    const { body } = await owner.client.get(`/api/v2/pushes/${urlToken}/audit`);
    return body.logs.filter(({ kind }: { kind: string }) => /^(owner_)?view$/.test(kind)).length;
  };

  it.each(SIGNALS)('leaves no half file under its name when a download ends by %s', async (signal) => {
    const proxy = await forThisTest(startHoldingProxy(running.url));
    const link = await pushFile(randomBytes(4 * MIB), proxy);
    proxy.allow('down', MIB);
    const { child, ended } = sealpush.start(['open', '-o', output(), link]);
    await proxy.held('down');
    child.kill(signal);

    expect(await ended).toMatchObject({ code: null, signal });
    expect(existsSync(join(output(), 'a.bin'))).toBe(false);
    if (signal !== 'SIGKILL') expect(readdirSync(output())).toEqual([]);
    expect(await viewsOf(link)).toBe(1);
    proxy.allow('down');
    expect((await sealpush.run(['open', link])).code).toBe(4);
  });

  it.each(SIGNALS)('uses no view when it ends by %s before it has asked for the secret', async (signal) => {
    const proxy = await forThisTest(startHoldingProxy(running.url));
    const link = await pushFile(randomBytes(10), proxy);
    proxy.allow('up', 1); // the request of the preview, which comes first
    const { child, ended } = sealpush.start(['open', link]);
    await proxy.held('up');
    child.kill(signal);

    expect((await ended).signal).toBe(signal);
    expect(await viewsOf(link)).toBe(0);
    proxy.allow('up');
    expect((await sealpush.run(['open', '-o', output(), link])).stdout.toString()).toBe('a note');
  });

  it('goes on with the download, without another view, when the connection breaks', async () => {
    const proxy = await forThisTest(startHoldingProxy(running.url));
    const content = randomBytes(4 * MIB);
    const link = await pushFile(content, proxy);
    proxy.allow('down', MIB);
    const { ended } = sealpush.start(['open', '-o', output(), link]);
    await proxy.held('down');
    proxy.cut();
    proxy.allow('down');

    expect(await ended).toMatchObject({ code: 0, stdout: Buffer.from('a note') });
    expect(readFileSync(join(output(), 'a.bin')).equals(content)).toBe(true);
    expect(await viewsOf(link)).toBe(1);
  });

  it('saves whole files when nobody reads what it prints', async () => {
    const content = randomBytes(MIB);
    const link = await pushFile(content, running);
    const { child, ended } = sealpush.start(['open', '-o', output(), link]);
    child.stdout?.destroy();

    expect((await ended).signal).toBeNull();
    expect(readFileSync(join(output(), 'a.bin')).equals(content)).toBe(true);
    expect(readdirSync(output())).toEqual(['a.bin']);
  });

  it('ends when the reader of a file on stdout does', async () => {
    const path = folder.file(randomBytes(4 * MIB), 'a.bin');
    const link = linkOf(await sealpush.run(['push', '--file', path]));
    const { child, ended } = sealpush.start(['open', link]);
    if (child.stdout) await once(child.stdout, 'data');
    child.stdout?.destroy();

    expect(await ended).toMatchObject({ signal: null, stderr: '' });
  });

  it.each(
    SIGNALS.flatMap((signal) => [
      ['in one request', 4 * MIB, signal] as const,
      ['in parts', 12 * MIB, signal] as const,
    ]),
  )('makes no push of a file that it sends %s (%i bytes) when it ends by %s', async (_how, size, signal) => {
    const proxy = await forThisTest(startHoldingProxy(running.url));
    const path = folder.file(randomBytes(size), 'a.bin');
    proxy.allow('up', 2 * MIB);
    const { child, ended } = sealpush.start(['push', '--file', path], { SEALPUSH_URL: proxy.url });
    child.stdin?.end('a note');
    await proxy.held('up');
    child.kill(signal);

    expect(await ended).toMatchObject({ signal, stdout: Buffer.alloc(0) });
    expect((await owner.client.get('/api/v2/pushes/active')).body).toEqual([]);
  });
});
