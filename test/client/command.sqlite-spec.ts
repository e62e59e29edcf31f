import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRequestLink, SealpushClient } from '../../packages/client/src/index.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { linkOf, SCRIPT, Sealpush, versionsOfNode } from './support/sealpush.js';

describe.each(versionsOfNode())('The command, with Node.js %s', (_version, node) => {
  const running = forAllTests(() => startApp({ ENABLE_REQUESTS_API: 'true' }));
  const owner = forAllTests(() => running.newUser());
  const folder = forEachTest(makeFolder);

  const command = new Sealpush(running, owner, folder, [node, SCRIPT]);
  const sealpush = (...run: Parameters<Sealpush['run']>) => command.run(...run);

  it('sends what is on stdin, and prints the link alone', async () => {
    const pushed = await sealpush(['push', '--views', '1'], 'correct horse\n');
    const opened = await sealpush(['open', linkOf(pushed)]);

    expect(pushed).toMatchObject({ code: 0, stderr: '' });
    expect(linkOf(pushed)).toMatch(/^http\S+\/p\/[\w-]{43}#1[\w-]{43}$/);
    expect(opened.stdout.toString()).toBe('correct horse');
    expect((await sealpush(['open', linkOf(pushed)])).code).toBe(4);
  });

  it('sends files, and saves them without overwriting any', async () => {
    const content = randomBytes(100_000);
    writeFileSync(join(folder.path, 'a.bin'), content);
    const pushed = await sealpush(['push', '--file', join(folder.path, 'a.bin')], 'a note');
    const opened = await sealpush(['open', '-o', folder.path, linkOf(pushed)]);

    expect(opened).toMatchObject({ code: 0, stderr: expect.stringContaining('a (2).bin') });
    expect(opened.stdout.toString()).toBe('a note');
    expect(readFileSync(join(folder.path, 'a (2).bin')).equals(content)).toBe(true);
    expect(statSync(join(folder.path, 'a (2).bin')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path).sort()).toEqual(['a (2).bin', 'a.bin']);
  });

  it.each([
    ['long.txt', '漢'.repeat(200), '.txt'],
    ['long', `a.${'漢'.repeat(200)}`, ''],
  ])('saves a file whose name has more bytes than file systems take: %s', async (_what, stem, extension) => {
    const client = new SealpushClient({ server: running.url, token: owner.token });
    const { link } = await client.push({ files: [new File(['tulip'], stem + extension)] });
    const opened = [
      await sealpush(['open', '-o', folder.path, link]),
      await sealpush(['open', '-o', folder.path, link]),
    ];
    const names = readdirSync(folder.path).sort();

    expect(opened.map(({ code }) => code)).toEqual([0, 0]);
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect(stem.startsWith(name.replace(/( \(2\))?(\.txt)?$/, ''))).toBe(true);
      expect(name.endsWith(extension)).toBe(true);
      expect(Buffer.byteLength(name)).toBeGreaterThan(245);
    }
  });

  it('passes a single file on, as a filter', async () => {
    const content = randomBytes(100_000);
    writeFileSync(join(folder.path, 'a.bin'), content);
    const pushed = await sealpush(['push', '-f', join(folder.path, 'a.bin')]);

    expect((await sealpush(['open', linkOf(pushed)])).stdout.equals(content)).toBe(true);
  });

  it('reads the link from stdin, so that it is no argument', async () => {
    const pushed = await sealpush(['push'], 'tulip');

    expect((await sealpush(['open'], `${linkOf(pushed)}\n`)).stdout.toString()).toBe('tulip');
  });

  it('generates a passphrase, and takes one from the environment', async () => {
    const pushed = await sealpush(['push', '--passphrase=generate'], 'tulip');
    const passphrase = /^Passphrase: (\S{20})$/m.exec(pushed.stderr)?.[1] ?? '';
    const wrong = await sealpush(['open', linkOf(pushed)], '', { SEALPUSH_PASSPHRASE: 'wrong' });
    const opened = await sealpush(['open', linkOf(pushed)], '', { SEALPUSH_PASSPHRASE: passphrase });

    expect(linkOf(pushed)).toContain('#2');
    expect(wrong.code).toBe(5);
    expect(opened.stdout.toString()).toBe('tulip');
    expect((await sealpush(['push', '--passphrase=sesame'], 'tulip')).code).toBe(2);
  });

  it('asks for a secret, and prints the answers', async () => {
    const asked = await sealpush(['ask', 'The password']);
    const answered = await sealpush(['answer', linkOf(asked)], 'correct horse', { SEALPUSH_TOKEN: '' });
    const answers = await sealpush(['answers', linkOf(asked)]);

    expect([asked.code, answered.code]).toEqual([0, 0]);
    expect(answers.stdout.toString()).toBe('correct horse');
  });

  it('prints no answer that another key was made for', async () => {
    const [asked, other] = [await sealpush(['ask', 'one']), await sealpush(['ask', 'two'])];
    await sealpush(['answer', linkOf(asked)], 'correct horse');
    const key = join(folder.path, 'config', 'keys', `${parseRequestLink(linkOf(other)).urlToken}.txt`);
    const answers = await sealpush(['answers', linkOf(asked), '--key', key]);

    expect(answers).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/^The answer \S{43} cannot be read/),
    });
    expect(answers.stdout.toString()).toBe('');
  });

  it('lists, shows, audits and ends pushes', async () => {
    const pushed = await sealpush(['push', '--name', 'spring', '--json'], 'tulip');
    const { link, url_token } = JSON.parse(pushed.stdout.toString());

    expect((await sealpush(['list'])).stdout.toString()).toContain(`${url_token}\ttext\t5 views`);
    expect((await sealpush(['show', link])).stdout.toString()).toBe('encrypted end to end\n');
    expect((await sealpush(['audit', link])).stdout.toString()).toContain('\tcreation\t');
    expect((await sealpush(['expire', link])).code).toBe(0);
    expect((await sealpush(['open', link])).code).toBe(4);
    expect((await sealpush(['generate', '--type', 'pin', '--length', '6'])).stdout.toString()).toMatch(
      /^\d{6}\n$/,
    );
  });

  it('runs a command with the secret as a variable or on a file descriptor', async () => {
    const link = linkOf(await sealpush(['push'], 'tulip'));
    const print = 'process.stdout.write([process.env.WORD, process.env.SEALPUSH_TOKEN].join())';
    const read = "process.stdout.write(require('fs').readFileSync(3))";

    expect(await sealpush(['run', '--env', 'WORD', link, '--', 'node', '-e', print])).toMatchObject({
      code: 0,
    });
    expect(
      (await sealpush(['run', '--env', 'WORD', link, '--', 'node', '-e', print])).stdout.toString(),
    ).toBe('tulip,');
    expect((await sealpush(['run', '--fd', '3', link, '--', 'node', '-e', read])).stdout.toString()).toBe(
      'tulip',
    );
    expect((await sealpush(['run', link, '--', 'node', '-e', 'process.exit(7)'])).code).toBe(7);
  });

  it('keeps a token that works, for its owner alone', async () => {
    const env = { SEALPUSH_URL: '', SEALPUSH_TOKEN: '' };
    const without = { ...env, PATH: folder.path }; // no keyring
    const refused = await sealpush(['login', running.url], 'wrong', without);
    const kept = await sealpush(['login', running.url], owner.token, without);
    const path = join(folder.path, 'config/credentials.json');

    expect([refused.code, kept.code]).toEqual([6, 0]);
    expect(kept.stdout.toString() + kept.stderr).not.toContain(owner.token);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await sealpush(['list'], '', without)).code).toBe(0);
    expect((await sealpush(['logout'], '', without)).code).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain(owner.token);
  });

  it.each([
    ['no installation', ['list'], { SEALPUSH_URL: '' }, 2, /Which installation/],
    ['one that cannot be reached', ['list'], { SEALPUSH_URL: 'http://127.0.0.1:9' }, 7, /cannot be reached/],
    ['a cut link', ['open', 'https://push.example.org/p/abcdefgh#1abc'], {}, 2, /incomplete/],
    ['no link', ['open', 'correct horse'], {}, 2, /not a link/],
    ['an unknown command', ['delete'], {}, 2, /unknown command/],
    ['a wrong time', ['push', '--for', '3w'], {}, 2, /--for must be/],
    ['no token', ['list'], { SEALPUSH_TOKEN: 'wrong' }, 6, /token/],
    ['a file that is not there', ['push', '-f', '/nowhere/a'], {}, 2, /cannot be read/],
  ])('says what is wrong: %s', async (_what, args, env, code, message) => {
    const result = await sealpush(args, 'tulip', env);

    expect(result).toMatchObject({ code, stderr: expect.stringMatching(message) });
    expect(result.stdout.toString()).toBe('');
  });

  it('completes its commands in every shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await sealpush(['completion', shell])).stdout.toString()).toContain('answers');
  });

  it('leaves nothing behind but what was asked for', async () => {
    await sealpush(['open', linkOf(await sealpush(['push'], 'tulip'))]);

    expect(existsSync(join(folder.path, 'config'))).toBe(false);
  });
});
