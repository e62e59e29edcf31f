import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientEncryptedPush } from '../support/age-files.js';
import { hasAge, decryptWithAge, sayIfAgeIsMissing } from '../support/age.js';
import type { EndToEndPush } from '../support/end-to-end-push.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { newestPush } from '../support/new-pushes.js';
import { newSignedInUser, PageClient } from '../support/page-client.js';
import { PREVIEWERS } from '../support/previewers.js';
import { startApp } from '../support/start-app.js';

const run = promisify(execFile);
const NO_LINK = 'Its link cannot be shown again: the key is in the link only';

describe('The pages of an end-to-end encrypted push', () => {
  const running = forAllTests(startApp);
  const stranger = forAllTests(() => new PageClient(running.url));

  const share = (secret: Parameters<typeof pushEndToEnd>[1] = { text: 'correct horse' }) =>
    pushEndToEnd(running.anonymous, secret, { expire_after_views: '2' });
  const viewsUsed = async () => (await newestPush(running)).viewsCounted;

  it('use no view when they are loaded, also by previews and with an encoded # (A9, H6)', async () => {
    const { urlToken, fragment } = await share();
    const pages = new Set<string>();
    for (const end of ['', '/r', '%23', '%2523', '%252523', '/r%23', '/%23'])
      for (const agent of ['', ...PREVIEWERS]) {
        const client = running.anonymous.with({ 'User-Agent': agent });
        const path = `/p/${urlToken}${end}${end.endsWith('23') ? fragment : ''}`;
        const { status, body } = await client.get(path);
        expect([path, status]).toEqual([path, 200]);
        expect((await client.head(path)).status).toBe(200);
        pages.add((body as string).replace(/(name="next" value=")[^"]*/, '$1'));
      }

    expect(pages.size).toBe(1); // also for programs that seem to be browsers inside of apps: it has no files
    for (const page of pages) {
      expect(page).toMatch(/2 views left<[^]*Expires <time/);
      expect(page).not.toContain('BEGIN AGE');
      expect(page).not.toContain(fragment.slice(1));
    }
    expect(await viewsUsed()).toBe(0);
  });

  it('give the ciphertext to whoever has the proof, and inform others that it is wrong', async () => {
    const { urlToken, proof } = await share();

    const refused = await stranger.post(`/p/${urlToken}`, { passphrase: 'A'.repeat(43) });
    const opened = await stranger.post(`/p/${urlToken}`, { passphrase: proof });

    expect([refused.status, opened.status]).toEqual([422, 200]);
    expect(refused.body).not.toContain('BEGIN AGE');
    expect(opened.body).toContain('-----BEGIN AGE ENCRYPTED FILE-----');
    expect(opened.body).not.toContain(proof);
    expect(await viewsUsed()).toBe(1);
  });

  it('offer their owner no link to copy, and say why', async () => {
    const { pageClient } = await newSignedInUser(running);
    const { payload, passphrase } = clientEncryptedPush();
    await pageClient.post('/', {
      'push[client_encrypted]': 'true',
      'push[payload]': payload,
      'push[passphrase]': passphrase,
    });

    const list = await pageClient.get('/pushes');
    const [, own = ''] = /\/p\/([\w-]+)\/audit/.exec(list.body) ?? [];
    const activity = await pageClient.get(`/p/${own}/audit`);

    for (const { body } of [list, activity]) {
      expect(body).toMatch(/End-to-end encrypted|Encrypted in your browser/);
      expect(body).toContain(NO_LINK);
      expect(body).not.toContain('data-copy');
    }
  });

  sayIfAgeIsMissing();

  (hasAge ? it : it.skip)('show commands that open it', async () => {
    for (const passphrase of ['', `it's "$HOME"`]) {
      const push = await share({ text: 'correct horse', passphrase });
      const secret = passphrase === '' ? push.fragment : `${push.fragment} ${passphrase}`;

      const envelope = await decryptWithAge(await payloadByCommands(push, passphrase), secret);

      expect(JSON.parse(envelope.toString())).toMatchObject({ kind: 'text', text: 'correct horse' });
      expect(await viewsUsed()).toBe(1);
    }
  });

  /** Runs all commands of the page but the last one, which asks at a terminal. */
  async function payloadByCommands(
    { urlToken, fragment }: EndToEndPush,
    passphrase: string,
  ): Promise<Buffer> {
    const { body } = await stranger.get(`/p/${urlToken}`);
    const [, shown = ''] = /<details[^>]* id="commands"[^>]*>.*?<pre[^>]*>(.*?)<\/pre>/s.exec(body) ?? [];
    const commands = shown
      .replaceAll('&lt;', '<')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replace("fragment=''", `fragment='${fragment}'`)
      .replace("passphrase=''", `passphrase='${passphrase.replaceAll("'", `'\\''`)}'`)
      .replace('; age -d secret.age', '');
    const { path: cwd } = await forThisTest(makeFolder());
    await run('bash', ['-euo', 'pipefail', '-c', commands], { cwd });
    return readFile(join(cwd, 'secret.age'));
  }
});
