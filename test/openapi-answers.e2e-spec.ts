import { engine } from './support/engine.js';
import type { Answer, Client } from './support/client.js';
import { documentedAnswers, examplesOf, faultsOf } from './support/openapi.js';
import { connectBeside } from './support/other-connection.js';
import { makePlace } from './support/place.js';
import { sendRaw } from './support/send-raw.js';
import { startApp } from './support/start-app.js';
import { wireTo } from './support/wire.js';

const ONE = '/api/v2/pushes/{url_token}';
const FILE = '/files/{ticket}';
const MALFORMED = '%zz';

/** With a file of SQLite beside it, a process cannot be cut off from what it only reads. */
const NEVER_CUT_OFF_ON_SQLITE = [
  'get /api/v2/pushes/active 503',
  'get /api/v2/pushes/expired 503',
  `head ${ONE} 503`,
  `get ${ONE}/preview 503`,
  `get ${ONE}/audit 503`,
  `head ${FILE} 503`,
];

/** What was seen, each answer being as it is described. */
const seen = new Set<string>();
const refusals = new Set<string>();

/** Notes the answer, which must be as it is described. */
async function check(method: string, path: string, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  seen.add(`${method} ${path} ${answer.status}`);
  if (answer.status >= 400) refusals.add(`${answer.status} ${JSON.stringify(answer.body)}`);
  expect([method, path, answer.status, faultsOf(method, path, answer)]).toEqual([
    method,
    path,
    answer.status,
    [],
  ]);
  return answer;
}

const ask = (client: Client, method: string, path: string, parameter = 'x', query = '') =>
  check(method, path, client.send(method.toUpperCase(), path.replace(/\{\w+\}/, parameter) + query));
const create = (client: Client, body: object | string) =>
  check('post', '/api/v2/pushes', client.post('/api/v2/pushes', body));

/** Every operation that may answer so, such as `get /api/v2/version`. */
const thatAnswer = (status: number) =>
  documentedAnswers
    .filter((answer) => answer.endsWith(` ${status}`))
    .map((answer) => answer.split(' ') as [string, string]);

/** A link to a file that was just pushed. */
async function ticketFor(client: Client): Promise<string> {
  const { url_token } = await client.push({ files });
  const { body } = await client.retrieve(url_token as string);
  return new URL(body.files[0].url as string).pathname.replace('/files/', '');
}

const files = [{ filename: 'a.txt', content: Buffer.from('tulip').toString('base64') }];

describe('openapi.json', () => {
  it('describes every answer of every operation as it is, and no other', async () => {
    await askWhatIsAsked();
    await askWhileTablesAreMissing();
    await askWhileCutOff();
    await askTooOften();

    expect(documentedAnswers.filter((answer) => !seen.has(answer))).toEqual(
      engine.name === 'sqlite' ? NEVER_CUT_OFF_ON_SQLITE : [],
    );
    expect(exampleRefusals().filter((example) => !refusals.has(example))).toEqual([]);
  });
});

/** All that does not take a broken installation. */
async function askWhatIsAsked(): Promise<void> {
  const running = await startApp({ MAX_FILE_SIZE: '100' });
  const owner = await running.newUser();
  const { anonymous } = running;
  const [mallory, wrong] = [
    (await running.newUser()).client,
    anonymous.with({ Authorization: 'Bearer wrong' }),
  ];

  await ask(anonymous, 'get', '/api');
  const nowhere = await sendRaw(running.url, { path: '/api', headers: { Host: 'a b' } });
  const headers = new Headers(nowhere.headers as Record<string, string>);
  await check('get', '/api', Promise.resolve({ ...nowhere, headers }));
  await ask(anonymous, 'get', '/api/v2/openapi.json');
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
  await create(anonymous, { push: { payload: 'tulip', expire_after_days: 0 } });
  await create(owner.client, { push: { payload: '', expire_after_days: 0, kind: 'tulip', files: 7 } });

  for (const list of ['/api/v2/pushes/active', '/api/v2/pushes/expired']) {
    await ask(owner.client, 'get', list);
    await ask(owner.client, 'get', list, '', '?page=0');
    await ask(anonymous, 'get', list);
  }

  await ask(anonymous, 'get', ONE, protectedPush);
  await ask(anonymous, 'get', ONE, protectedPush, '?passphrase=cow');
  const shown = await ask(anonymous, 'get', ONE, protectedPush, '?passphrase=horse');
  await ask(anonymous, 'get', ONE, protectedPush, '?passphrase=a&passphrase=b');
  await ask(anonymous, 'get', ONE, 'unknown');
  await ask(wrong, 'head', ONE, plain);
  await ask(anonymous, 'head', ONE, plain);
  await ask(anonymous, 'head', ONE, 'unknown');

  for (const [client, token] of [
    [anonymous, plain],
    [wrong, plain],
    [anonymous, 'unknown'],
  ] as const) {
    await ask(client, 'get', `${ONE}/preview`, token);
  }

  await ask(owner.client, 'get', `${ONE}/audit`, protectedPush);
  await ask(owner.client, 'get', `${ONE}/audit`, protectedPush, '?page=x');
  await ask(anonymous, 'get', `${ONE}/audit`, protectedPush);
  await ask(mallory, 'get', `${ONE}/audit`, protectedPush);
  await ask(owner.client, 'get', `${ONE}/audit`, 'unknown');

  const ticket = new URL(shown.body.files[0].url).pathname.replace('/files/', '');
  await ask(anonymous, 'get', FILE, ticket);
  await ask(anonymous.with({ Range: 'bytes=1-2' }), 'get', FILE, ticket);
  await ask(anonymous.with({ Range: 'bytes=9-' }), 'get', FILE, ticket);
  await ask(anonymous, 'get', FILE, 'unknown');
  await ask(anonymous, 'head', FILE, ticket);
  await ask(anonymous, 'head', FILE, 'unknown');

  await ask(anonymous, 'delete', ONE, plain);
  await ask(mallory, 'delete', ONE, plain);
  await ask(owner.client, 'delete', ONE, plain);
  await ask(owner.client, 'delete', ONE, 'unknown');
  await ask(anonymous, 'get', ONE, plain);
  await ask(owner.client, 'get', '/api/v2/pushes/expired');

  for (const [method, path] of thatAnswer(400).filter(([, described]) => described.includes('{'))) {
    expect((await ask(owner.client, method, path, MALFORMED)).status).toBe(400);
  }
  await running.stop();
}

async function askWhileTablesAreMissing(): Promise<void> {
  const running = await startApp();
  const owner = await running.newUser();
  const ticket = await ticketFor(owner.client);
  const other = await connectBeside(running.place);
  for (const table of ['files', 'audit_entries', 'passphrase_attempts', 'pushes', 'migrations']) {
    await other.query(`ALTER TABLE ${table} RENAME TO former_${table}`);
  }
  await other.close();

  for (const [method, path] of thatAnswer(500)) {
    const asked =
      method === 'post'
        ? create(owner.client, { push: { payload: 'tulip' } })
        : ask(owner.client, method, path, path === FILE ? ticket : 'x');

    expect((await asked).status).toBe(500);
  }
  expect((await ask(running.anonymous, 'get', '/ready')).status).toBe(503);
  await running.stop();
}

async function askWhileCutOff(): Promise<void> {
  const place = await makePlace();
  const wire = engine.name === 'sqlite' ? undefined : await wireTo(place);
  const running = await startApp({}, wire?.place ?? place);
  const { client } = await running.newUser();
  const { url_token } = await client.push({ payload: 'tulip' });
  const ticket = await ticketFor(client);

  if (wire) wire.cut();
  else await running.dataSource.query('PRAGMA query_only = ON');
  for (const [method, path] of thatAnswer(503)) {
    const name = `${method} ${path} 503`;
    if (!wire && [...NEVER_CUT_OFF_ON_SQLITE, 'get /ready 503'].includes(name)) continue;
    const asked =
      method === 'post'
        ? create(running.anonymous, { push: { payload: 'tulip' } })
        : ask(client, method, path, path === FILE ? ticket : url_token);

    expect([name, (await asked).status]).toEqual([name, 503]);
  }
  await running.stop();
  await place.destroy();
}

async function askTooOften(): Promise<void> {
  const running = await startApp({ REQUESTS_PER_MINUTE: '1' });
  await running.anonymous.get('/api/v2/version');
  for (const [method, path] of thatAnswer(429)) {
    expect((await ask(running.anonymous, method, path)).status).toBe(429);
  }
  await running.stop();
}

function exampleRefusals(): string[] {
  return [400, 401, 403, 404, 413, 416, 422, 429, 500, 503].flatMap((status) =>
    examplesOf(status).map((example) => `${status} ${JSON.stringify(example)}`),
  );
}
