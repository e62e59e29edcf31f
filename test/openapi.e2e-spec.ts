import { connectBeside } from './support/other-connection.js';
import type { Answer, Client } from './support/client.js';
import { document, documentedAnswers, faultsOf } from './support/openapi.js';
import type { RunningApp, TestUser } from './support/start-app.js';
import { startApp } from './support/start-app.js';

const OURS = ['429', '500', '503'];
const isOfOurs = (answer: string) => OURS.some((status) => answer.endsWith(status));

describe('openapi.json', () => {
  let running: RunningApp;
  let owner: TestUser;
  let seen: Set<string>;

  beforeEach(async () => {
    running = await startApp({ MAX_FILE_SIZE: '100' });
    owner = await running.newUser();
    seen = new Set();
  });
  afterEach(() => running.stop());

  /** Notes the answer, which must be as it is described. */
  async function check(method: string, path: string, asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked;
    seen.add(`${method} ${path} ${answer.status}`);
    expect([method, path, answer.status, faultsOf(method, path, answer)]).toEqual([
      method,
      path,
      answer.status,
      [],
    ]);
    return answer;
  }

  const ask = (client: Client, method: string, path: string, parameter = '', query = '') =>
    check(method, path, client.send(method.toUpperCase(), path.replace(/\{\w+\}/, parameter) + query));
  const create = (client: Client, body: object | string) =>
    check('post', '/api/v2/pushes', client.post('/api/v2/pushes', body));

  it('would tell of an answer that is not as described', () => {
    const answer = { status: 200, headers: new Headers(), body: { up: true } };

    expect(faultsOf('get', '/up', answer)).toEqual([]);
    expect(faultsOf('get', '/up', { ...answer, body: { up: false } })).toHaveLength(1);
    expect(faultsOf('get', '/up', { ...answer, body: { up: true, also: 1 } })).toHaveLength(1);
    expect(faultsOf('get', '/up', { ...answer, status: 418 })).toHaveLength(1);
    expect(faultsOf('get', '/ready', { ...answer, status: 503, body: { error: '' } })).toEqual([
      'no header Retry-After',
    ]);
  });

  it('is served as it is committed, with a path for each route of API v2', async () => {
    const { status, headers, body } = await running.anonymous.get('/api/v2/openapi.json');

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual(document);
  });

  it('describes each answer of each operation as it is', async () => {
    const { anonymous } = running;
    const [mallory, wrong] = [
      (await running.newUser()).client,
      anonymous.with({ Authorization: 'Bearer wrong' }),
    ];
    const one = '/api/v2/pushes/{url_token}';
    const files = [{ filename: 'a.txt', content: Buffer.from('tulip').toString('base64') }];

    await ask(anonymous, 'get', '/api/v2/version');
    await ask(anonymous, 'get', '/up');
    await ask(anonymous, 'get', '/ready');

    const push = { payload: 'tulip', name: 'spring', note: 'for Ada', passphrase: 'horse', files };
    const { url_token: protectedPush } = (await create(owner.client, { push })).body;
    const { url_token: plain } = (
      await create(owner.client, { push: { payload: 'rose', retrieval_step: true } })
    ).body;
    await create(anonymous, { push: {} });
    await create(anonymous, '{');
    await create(wrong, { push: { payload: 'tulip' } });
    await create(anonymous, JSON.stringify({ push: { payload: 'x'.repeat(14 * 1024 * 1024) } }));
    await create(anonymous, { push: { kind: 'file', expire_after_days: 0 } });
    await create(owner.client, { push: { payload: '', expire_after_days: 0, kind: 'tulip', files: 7 } });

    for (const list of ['/api/v2/pushes/active', '/api/v2/pushes/expired']) {
      await ask(owner.client, 'get', list);
      await ask(owner.client, 'get', list, '', '?page=0');
      await ask(anonymous, 'get', list);
    }

    await ask(anonymous, 'get', one, protectedPush);
    await ask(anonymous, 'get', one, protectedPush, '?passphrase=cow');
    const shown = await ask(anonymous, 'get', one, protectedPush, '?passphrase=horse');
    await ask(anonymous, 'get', one, protectedPush, '?passphrase=a&passphrase=b');
    await ask(anonymous, 'get', one, 'unknown');
    await ask(wrong, 'head', one, plain);
    await ask(anonymous, 'head', one, plain);
    await ask(anonymous, 'head', one, 'unknown');

    for (const [client, token] of [
      [anonymous, plain],
      [wrong, plain],
      [anonymous, 'unknown'],
    ] as const) {
      await ask(client, 'get', `${one}/preview`, token);
    }

    await ask(owner.client, 'get', `${one}/audit`, protectedPush);
    await ask(owner.client, 'get', `${one}/audit`, protectedPush, '?page=x');
    await ask(anonymous, 'get', `${one}/audit`, protectedPush);
    await ask(mallory, 'get', `${one}/audit`, protectedPush);
    await ask(owner.client, 'get', `${one}/audit`, 'unknown');

    const ticket = new URL(shown.body.files[0].url).pathname.replace('/files/', '');
    const file = '/files/{ticket}';
    await ask(anonymous, 'get', file, ticket);
    await ask(anonymous.with({ Range: 'bytes=1-2' }), 'get', file, ticket);
    await ask(anonymous.with({ Range: 'bytes=9-' }), 'get', file, ticket);
    await ask(anonymous, 'get', file, 'unknown');
    await ask(anonymous, 'head', file, ticket);
    await ask(anonymous, 'head', file, 'unknown');

    await ask(anonymous, 'delete', one, plain);
    await ask(mallory, 'delete', one, plain);
    await ask(owner.client, 'delete', one, plain);
    await ask(owner.client, 'delete', one, 'unknown');
    await ask(anonymous, 'get', one, plain);
    await ask(owner.client, 'get', '/api/v2/pushes/expired');

    expect(documentedAnswers.filter((answer) => !isOfOurs(answer) && !seen.has(answer))).toEqual([]);
  });

  it('describes refusals for want of a working database, wherever there can be some', async () => {
    const other = await connectBeside(running.place);
    for (const table of ['files', 'audit_entries', 'passphrase_attempts', 'pushes', 'migrations']) {
      await other.query(`ALTER TABLE ${table} RENAME TO former_${table}`);
    }
    await other.close();

    expect((await create(running.anonymous, { push: { payload: 'tulip' } })).status).toBe(500);
    expect((await ask(running.anonymous, 'get', '/api/v2/pushes/{url_token}', 'x')).status).toBe(500);
    expect((await ask(owner.client, 'get', '/api/v2/pushes/active')).status).toBe(500);
    expect((await ask(running.anonymous, 'get', '/ready')).status).toBe(503);
  });
});

describe('openapi.json on a busy installation', () => {
  it('describes how each operation refuses those who ask too often', async () => {
    const running = await startApp({ REQUESTS_PER_MINUTE: '1' });
    await running.anonymous.get('/api/v2/version');
    const throttled = documentedAnswers.filter((answer) => answer.endsWith(' 429'));
    for (const answer of throttled) {
      const [method = '', path = ''] = answer.split(' ');
      const refused = await running.anonymous.send(method.toUpperCase(), path.replace(/\{\w+\}/, 'x'));

      expect([answer, refused.status, faultsOf(method, path, refused)]).toEqual([answer, 429, []]);
    }
    await running.stop();

    expect(throttled).toHaveLength(11);
  });
});
