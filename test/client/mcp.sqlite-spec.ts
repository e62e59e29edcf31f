import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { SealpushClient } from '../../packages/client/src/index.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forEachTest, forThisTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { SCRIPT, Sealpush, versionsOfNode } from './support/sealpush.js';

const ALL = ['--allow', 'push,ask,expire'];

/** A server that sends what it likes. */
async function startLyingServer(respond: (request: IncomingMessage) => unknown) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const said = respond(request);
    const status = Array.isArray(said) ? 200 : 400;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(said));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.each(versionsOfNode())('`sealpush mcp`, with Node.js %s', (_version, node) => {
  const running = forAllTests(() => startApp({ ENABLE_REQUESTS_API: 'true' }));
  const owner = forEachTest(() => running.newUser());
  const folder = forEachTest(makeFolder);
  const sealpush = new Sealpush(running, owner, folder, [node, SCRIPT]);
  const person = () => new SealpushClient({ server: running.url });

  /** A client of the SDK, connected to the command. */
  const connect = async (options: string[], env: Record<string, string> = {}): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const variables = Object.entries(sealpush.env(env)).filter(([, value]) => value !== undefined);
    await client.connect(
      new StdioClientTransport({
        command: node,
        args: [SCRIPT, 'mcp', ...options],
        env: Object.fromEntries(variables) as Record<string, string>,
        stderr: 'ignore',
      }),
    );
    return client;
  };
  const call = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
    const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
    const [content] = result.content;
    const data = result.structuredContent as any;
    return { isError: result.isError === true, text: content?.type === 'text' ? content.text : '', data };
  };
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

  it('serves only what reads, unless more is allowed', async () => {
    const reading = await forThisTest(connect([]));
    const asking = await forThisTest(connect(['--allow', 'ask, expire']));

    expect(await namesOf(reading)).toEqual(['list', 'status']);
    expect(await namesOf(asking)).toEqual(['list', 'status', 'ask', 'expire']);
    expect(await namesOf(await forThisTest(connect(ALL)))).toEqual([
      'list',
      'status',
      'push',
      'ask',
      'expire',
    ]);
    const { tools } = await reading.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  it('refuses what is not allowed', async () => {
    const client = await forThisTest(connect(['--allow', 'ask']));
    const { url_token } = await owner.client.push({ payload: 'tulip' });

    for (const [name, given] of [
      ['push', { text: 'rose' }],
      ['expire', { which: url_token }],
      ['open', { which: url_token }],
    ] as const) {
      const refused = await call(client, name, given).catch((error: unknown) => ({
        isError: true,
        text: (error as Error).message,
      }));
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(name) });
    }
    const { body } = await owner.client.get('/api/v2/pushes/active');
    expect(body.map((push: { url_token: string }) => push.url_token)).toEqual([url_token]);
  });

  it('sends a text, lists it, tells its state without a view, and ends it', async () => {
    const client = await forThisTest(connect(ALL));
    const pushed = await call(client, 'push', { text: 'correct horse', views: 2, for: '1h', name: 'spring' });
    const { link, url_token, expires_at } = pushed.data;

    expect(pushed.text).toContain(link);
    expect(pushed.data).toEqual({ link, url_token, expires_at, views_remaining: 2 });
    expect((await call(client, 'list')).data.pushes).toEqual([
      { url_token, kind: 'text', state: 'open', views_remaining: 2, expires_at, name: 'spring' },
    ]);
    expect((await call(client, 'list')).text).toBe(
      `${url_token}, text, open, 2 views remain, until ${expires_at}, spring`,
    );
    const open = { kind: 'push', state: 'open', end_to_end: true, views_remaining: 2, expires_at };
    for (const which of [link, url_token, `${running.url}/p/${url_token}`])
      expect((await call(client, 'status', { which })).data).toEqual(open);
    expect((await person().open(link)).text).toBe('correct horse');
    expect((await call(client, 'status', { which: link })).data.views_remaining).toBe(1);
    expect((await call(client, 'expire', { which: link })).data).toEqual({ kind: 'push', state: 'ended' });
    expect((await call(client, 'status', { which: link })).data).toMatchObject({ state: 'ended' });
    expect((await call(client, 'list', { ended: true })).data.pushes).toHaveLength(1);
    expect((await call(client, 'list')).text).toBe('There are no such pushes.');
  });

  it('asks for a secret, and keeps the key and the answer to itself', async () => {
    const client = await forThisTest(connect(ALL));
    const asked = await call(client, 'ask', { what: 'The password of the shop', answers: 2, for: '1d' });
    const { link, url_token } = asked.data;
    const before = await call(client, 'status', { which: link });
    await person().answer(link, { text: 'correct horse' });
    const after = await call(client, 'status', { which: link });
    const list = await call(client, 'list');
    const closed = await call(client, 'expire', { which: link });
    const path = join(folder.path, `config/keys/${url_token}.txt`);
    const key = /AGE-SECRET-KEY\S+/.exec(readFileSync(path, 'utf8'))?.[0] ?? '';

    expect(before.data).toEqual({ kind: 'request', state: 'open', answers: 0 });
    expect(after.data).toEqual({ kind: 'request', state: 'open', answers: 1 });
    expect(closed.data).toEqual({ kind: 'request', state: 'ended' });
    expect((await call(client, 'status', { which: link })).data.state).toBe('ended');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(key).not.toBe('');
    for (const result of [asked, before, after, list, closed])
      expect(JSON.stringify(result)).not.toMatch(new RegExp(`${key}|correct horse|${owner.token}`));
    expect((await sealpush.run(['answers', link])).stdout.toString()).toBe('correct horse');
  });

  it('closes a request again whose key cannot be kept', async () => {
    const client = await forThisTest(connect(ALL, { SEALPUSH_CONFIG: folder.file('not a folder') }));

    expect(await call(client, 'ask', { what: 'The password' })).toMatchObject({ isError: true });
    expect((await owner.client.get('/api/v2/requests/open')).body).toEqual([]);
    expect((await owner.client.get('/api/v2/requests/closed')).body).toHaveLength(1);
  });

  it('says what is wrong in a sentence, and goes on', async () => {
    const client = await forThisTest(connect(ALL));
    const { link } = await person().push({ text: 'tulip' });
    const unknown = 'a'.repeat(43);

    for (const [name, given, sentence] of [
      ['status', { which: unknown }, /^The server has no such push, request or file\.$/],
      ['status', { which: link.slice(0, -1) }, /^The link is incomplete/],
      ['status', { which: 'correct horse' }, /^This is neither a link nor a URL token\.$/],
      ['expire', { which: link }, /owner|allowed|permi|forbid/i],
      ['push', { text: ' ' }, /^The secret is empty\.$/],
      ['push', { text: 'a', views: 1000 }, /expire_after_views/],
      ['push', { text: 'a', for: '91d' }, /^for must be one of 15m/],
      ['push', { text: 'a', views: 0.5 }, /views/],
      ['ask', { what: 'a', for: '8d' }, /^for must be one of 15m/],
    ] as const)
      expect([given, await call(client, name, given)]).toEqual([
        given,
        { isError: true, text: expect.stringMatching(sentence), data: undefined },
      ]);
    expect((await call(client, 'status', { which: link })).data).toMatchObject({ state: 'unknown' });
    expect((await person().open(link)).text).toBe('tulip');
  });

  it('says that the token is wrong', async () => {
    const client = await forThisTest(connect([], { SEALPUSH_TOKEN: 'wrong-token' }));
    const { isError, text } = await call(client, 'list');

    expect([isError, text]).toEqual([true, expect.stringMatching(/token/i)]);
    expect(text).not.toContain('wrong-token');
  });

  it('passes on no token, no control character and no secret that a server says', async () => {
    const echoing = await startLyingServer(({ headers }) => ({
      error: `\u001b[2J\u202e${headers.authorization} ${'a'.repeat(1_000_000)}`,
    }));
    const telling = await startLyingServer(() => [
      {
        url_token: 'abcdefgh',
        kind: 'text',
        expired: false,
        views_remaining: 1,
        expires_at: '2026-01-01T00:00:00.000Z',
        name: `\u001b[2J${owner.token}`,
        payload: 'correct horse',
        note: 'correct horse',
      },
      { url_token: 'abcdefgh', kind: { payload: 'correct horse' } },
    ]);
    try {
      const first = await forThisTest(connect([], { SEALPUSH_URL: echoing.url }));
      const second = await forThisTest(connect([], { SEALPUSH_URL: telling.url }));
      const results = [await call(first, 'list'), await call(second, 'list').catch(String)];

      expect(results[0]).toMatchObject({ isError: true });
      for (const result of results.map((each) => JSON.stringify(each))) {
        expect(result).not.toContain(owner.token);
        expect(result).not.toContain('correct horse');
        expect(result).not.toMatch(/\\u001b|\u202e/);
        expect(result.length).toBeLessThan(10_000);
      }
    } finally {
      echoing.stop();
      telling.stop();
    }
  });

  it('asks no other installation, whatever link it is given', async () => {
    const other = await startLyingServer(() => []);
    try {
      const client = await forThisTest(connect(ALL));
      const { url_token } = await owner.client.push({ payload: 'tulip' });

      expect(await call(client, 'status', { which: `${other.url}/p/${'b'.repeat(43)}` })).toMatchObject({
        isError: true,
      });
      expect(
        await call(client, 'expire', { which: `${other.url}/requests/${'b'.repeat(43)}` }),
      ).toMatchObject({
        isError: true,
      });
      expect((await call(client, 'status', { which: `${other.url}/p/${url_token}` })).data.state).toBe(
        'open',
      );
      expect(other.requests()).toBe(0);
    } finally {
      other.stop();
    }
  });

  it('writes nothing but the protocol, and ends with its input', async () => {
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'push', arguments: { text: 'correct horse' } } },
      { id: 4, method: 'tools/call', params: { name: 'list', arguments: {} } },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const { code, stdout, stderr } = await sealpush.run(
      ['mcp', ...ALL],
      `${messages.slice(0, 2).join('\n')}\nno JSON\n{"jsonrpc":"2.0"}\n${messages.slice(2).join('\n')}\n`,
    );
    const responses = stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect([code, stderr]).toEqual([0, '']);
    expect(responses.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(
      responses
        .filter(({ result }) => result)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, 3, 4]);
    expect(stdout.toString()).not.toMatch(new RegExp(`correct horse|${owner.token}`));
  });

  it.each([
    ['without an installation', [], { SEALPUSH_URL: '' }, /Which installation/],
    ['with what cannot be allowed', ['--allow', 'push,open'], {}, /--allow takes push, ask, expire/],
  ])('does not start %s', async (_what, options, env, message) => {
    const result = await sealpush.run(['mcp', ...options], '', env);

    expect(result).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    expect(result.stdout.toString()).toBe('');
  });
});
