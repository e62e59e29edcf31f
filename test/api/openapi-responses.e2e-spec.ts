import type { TokenScope } from '../../src/auth/entities/api-token.entity.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { Not } from 'typeorm';
import { FileStore, ReserveReached, StoreUnavailable } from '../../src/files/file-store.js';
import { PartialUpload } from '../../src/features/uploads/upload.entity.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { BodiesInProgress } from '../../src/platform/http/body/bodies-in-progress.js';
import { engine } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import type { ClientResponse, Client } from '../support/client.js';
import { documentedResponses, examplesOf, errorsOf } from '../support/openapi.js';
import { connectBeside } from '../support/other-connection.js';
import { makeInstance } from '../support/instance.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { forThisTest } from '../support/for-tests.js';
import { HOUR_MS } from '../../src/platform/settings/units.js';

/** The paths of a version of the API. */
interface Face {
  create: string;
  /** The key of the push in a body. */
  key: string;
  /** Whether pushes may be created without a token. */
  isForAnybody: boolean;
  list: (which: string) => string;
  one: string;
  /** The paths below a push. */
  below: (what: string) => string;
}

const V2: Face = {
  create: '/api/v2/pushes',
  key: 'push',
  isForAnybody: true,
  list: (which) => `/api/v2/pushes/${which}`,
  one: '/api/v2/pushes/{url_token}',
  below: (what) => `/api/v2/pushes/{url_token}/${what}`,
};
const v1 = (prefix: string, key: string): Face => ({
  create: `/${prefix}.json`,
  key,
  isForAnybody: prefix === 'p',
  list: (which) => `/${prefix}/${which}.json`,
  one: `/${prefix}/{url_token}.json`,
  below: (what) => `/${prefix}/{url_token}/${what}.json`,
});
const API_VERSIONS = [V2, v1('p', 'password'), v1('f', 'file_push'), v1('r', 'url')];

const FILE = '/files/{ticket}';
const MAIL_LINK = '/api/v2/pushes/{url_token}/notify_emails';
const CODE = '/api/v2/pushes/{url_token}/code';
const TO_ADA = { notify_emails_to: 'ada@example.org' };
/** An instance that sends mails; nobody listens there. */
const WITH_MAIL = {
  MAIL_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'push@example.org',
  PUBLIC_URL: 'https://push.example.org',
};
const PAGES = ['/p/{url_token}/preview', '/p/{url_token}/r/preview'];
const REDIRECTS = [
  'f/{url_token}',
  'r/{url_token}',
  ...['p', 'f', 'r'].map((it) => `{locale}/${it}/{url_token}`),
];
const WELL_FORMED = 'aaaaaaaaaaaaaaaaaaaaaa';
const MALFORMED = '%zz';
const MALFORMED_HOST = 'a b';

const PUSH = '/api/v2/pushes/{url_token}';
const FEWER_VIEWS = '{"push":{"expire_after_views":2}}';
const GENERATE = '/api/v2/generate';
const REQUESTS = '/api/v2/requests';
const REQUEST = `${REQUESTS}/{url_token}`;
const RESPOND = `${REQUEST}/respond`;
const UPLOADS = '/api/v2/uploads';
const UPLOAD = `${UPLOADS}/{id}`;
const TUS = { 'Tus-Resumable': '1.0.0' };
const PART = { ...TUS, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
const WITH_REQUESTS = { ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' };

/** Reads that cannot fail on SQLite, because its database is a local file. */
const NEVER_UNAVAILABLE_ON_SQLITE = [
  ...API_VERSIONS.flatMap(({ list, one, below }) => [
    `get ${list('active')} 503`,
    `get ${list('expired')} 503`,
    `head ${one} 503`,
    `get ${below('preview')} 503`,
    `get ${below('audit')} 503`,
  ]),
  ...PAGES.map((path) => `get ${path} 503`),
  ...['/open', '/closed', '/{url_token}', '/{url_token}/preview', '/{url_token}/audit'].map(
    (path) => `get ${REQUESTS}${path} 503`,
  ),
  `head ${FILE} 503`,
  `head ${UPLOAD} 503`,
  `post ${GENERATE} 503`,
];

/** Responses that were received and match the description. */
const seen = new Set<string>();
const refusals = new Set<string>();

/** Checks that the response matches the description, and records it. */
async function check(
  method: string,
  path: string,
  pending: Promise<ClientResponse>,
): Promise<ClientResponse> {
  const answer = await pending;
  seen.add(`${method} ${path} ${answer.status}`);
  if (answer.status >= 400) refusals.add(`${answer.status} ${JSON.stringify(answer.body)}`);
  expect([method, path, answer.status, errorsOf(method, path, answer)]).toEqual([
    method,
    path,
    answer.status,
    [],
  ]);
  return answer;
}

const ask = (client: Client, method: string, path: string, parameter = 'x', query = '') =>
  check(method, path, client.send(method.toUpperCase(), filledIn(path, parameter) + query));
const filledIn = (path: string, parameter: string) =>
  path.replace('{locale}', 'pt-BR').replace(/\{\w+\}/, parameter);
const create = ({ create: path, key }: Face, client: Client, fields: object) =>
  post(path, client, { [key]: fields });
const post = (path: string, client: Client, body: object | string) =>
  check('post', path, client.post(path, body));
const mailLink = (client: Client, urlToken: string, body: object | string = TO_ADA) =>
  check('post', MAIL_LINK, client.post(filledIn(MAIL_LINK, urlToken), body));
const mailCode = (client: Client, urlToken: string, body: object | string = { email: 'ada@example.org' }) =>
  check('post', CODE, client.post(filledIn(CODE, urlToken), body));
/** Sends a valid body to an operation that needs one. */
const postTo = (path: string, client: Client, urlToken: string) => {
  if (path === MAIL_LINK) return mailLink(client, urlToken);
  if (path === CODE) return mailCode(client, urlToken);
  if (path === GENERATE) return post(path, client, {});
  if (path === REQUESTS) return createRequest(client);
  return path === RESPOND ? answerRequest('post', client, urlToken) : create(faceOf(path), client, FIELDS);
};
/** Begins an upload, or does something with one. */
const sendUpload = (
  method: string,
  path: string,
  client: Client,
  {
    id = 'a'.repeat(43),
    headers = {},
    body,
  }: { id?: string; headers?: Record<string, string>; body?: string } = {},
) => {
  const own =
    path === UPLOADS
      ? { ...TUS, 'Upload-Length': '5', 'Upload-Metadata': 'filename YQ==' }
      : { ...PART, 'X-HTTP-Method-Override': 'PATCH' };
  const sent = body === undefined ? undefined : new TextEncoder().encode(body);
  return check(
    method,
    path,
    client.send(method.toUpperCase(), filledIn(path, id), sent, { ...own, ...headers }),
  );
};
/** The same for every method. */
const sendTo = (method: string, path: string, client: Client, parameter: string) => {
  if (path.startsWith(UPLOADS))
    return sendUpload(method, path, client, parameter.length === 43 ? { id: parameter } : {});
  if (method === 'post') return postTo(path, client, parameter);
  if (method !== 'patch') return ask(client, method, path, parameter);
  return path === RESPOND ? answerRequest(method, client, parameter) : change(client, parameter);
};
const change = (client: Client, urlToken: string, body = FEWER_VIEWS) => {
  const json = { 'Content-Type': 'application/json' };
  return check('patch', PUSH, client.send('PATCH', filledIn(PUSH, urlToken), body, json));
};
const createRequest = (client: Client, body: object | string = { request: { request: 'tulip?' } }) =>
  post(REQUESTS, client, body);
const answerRequest = (
  method: 'post' | 'patch',
  client: Client,
  urlToken: string,
  body: string = JSON.stringify({ request: { response: 'tulip' } }),
) => {
  const json = { 'Content-Type': 'application/json' };
  return check(method, RESPOND, client.send(method.toUpperCase(), filledIn(RESPOND, urlToken), body, json));
};
const faceOf = (path: string): Face => {
  const found = API_VERSIONS.find(({ create: its }) => its === path);
  if (!found) throw new Error(`nothing is created at ${path}`);
  return found;
};

/** Sends a request with a malformed Host header. */
async function sendMalformedHost(url: string, path: string): Promise<ClientResponse> {
  const answer = await sendRaw(url, { path, headers: { Host: MALFORMED_HOST } });
  const headers = new Headers(answer.headers as Record<string, string>);
  return check('get', path, Promise.resolve({ ...answer, headers }));
}

/** All operations that may respond with this status, such as `get /api/v2/version`. */
const thatAnswer = (status: number) =>
  documentedResponses
    .filter((answer) => answer.endsWith(` ${status}`))
    .map((answer) => answer.split(' ') as [string, string]);

/** A link to a file that was just pushed. */
async function ticketFor(client: Client): Promise<string> {
  const { url_token } = await client.push({ files });
  const { body } = await client.retrieve(url_token as string);
  return new URL(body.files[0].url as string).pathname.replace('/files/', '');
}

const files = [{ filename: 'a.txt', content: Buffer.from('tulip').toString('base64') }];

/** Fields that are valid for every path that creates pushes. */
const FIELDS = { payload: 'https://tulip.example', files };

describe('openapi.json', () => {
  it('describes every response of every operation correctly, and no others', async () => {
    await requestWhileHealthy();
    await requestMails();
    await requestWithoutRequests();
    await requestWhileTablesAreMissing();
    await requestWhileDatabaseIsUnreachable();
    await requestTooOften();

    expect(documentedResponses.filter((answer) => !seen.has(answer)).sort()).toEqual(
      engine.name === 'sqlite' ? NEVER_UNAVAILABLE_ON_SQLITE.toSorted() : [],
    );
    expect(exampleRefusals().filter((example) => !refusals.has(example))).toEqual([]);
  }, 180_000);
});

/** All responses of an intact installation. */
async function requestWhileHealthy(): Promise<void> {
  const running = await forThisTest(startApp({ MAX_FILE_SIZE: '100', ...WITH_REQUESTS }));
  const { anonymous } = running;
  for (const path of [
    '/api',
    '/api/v2/openapi.json',
    '/api/v2/version',
    '/api/v1/version',
    '/up',
    '/ready',
  ]) {
    await ask(anonymous, 'get', path);
  }
  await ask(anonymous, 'options', '/p.json');
  await askForAudit(running);
  for (const version of API_VERSIONS) await askOf(version, running);
  await askOfFiles(running);
  await askForChanges(running);
  await askForPages(running);
  await askOfRequests(running);
  await askForGenerated(running);
  await askOfUploads(running);

  for (const [method, path] of thatAnswer(400)) {
    if (path.includes('{')) {
      const { client } = await running.newUser();
      expect((await ask(client, method, path, MALFORMED)).status).toBe(400);
    } else if (method === 'get' && !/active|expired|open|closed|v2\/audit/.test(path)) {
      expect((await sendMalformedHost(running.url, path)).status).toBe(400);
    }
  }
  for (const [method, path] of thatAnswer(403)) {
    if (path === FILE) continue;
    const client = await limitedClient(
      running,
      /^\/(api\/v2\/(pushes|generate|uploads(\/\{id\})?)|\w\.json)$/.test(path) ? 'read' : 'create',
    );
    const pending =
      method === 'post' && path !== MAIL_LINK && !path.startsWith(UPLOADS)
        ? postTo(path, client, 'x')
        : ask(client, method, path);
    expect([method, path, (await pending).status]).toEqual([method, path, 403]);
  }
}

async function askForGenerated({ anonymous, ...running }: RunningApp): Promise<void> {
  await post(GENERATE, anonymous, { type: 'passphrase' });
  await post(GENERATE, anonymous, { length: 200 });
  await post(GENERATE, anonymous, '{');
  await post(GENERATE, anonymous, 'x'.repeat(70_000));
  await post(GENERATE, anonymous.with({ 'Content-Encoding': 'gzip' }), '{}');
  await post(GENERATE, anonymous.with({ Authorization: 'Bearer wrong' }), {});
  await postTooSlowly(GENERATE, GENERATE, { anonymous, ...running });
}

async function askOfUploads(running: RunningApp): Promise<void> {
  const { client } = await running.newUser();
  const { manager } = running.dataSource;
  const wrong = running.anonymous.with({ Authorization: 'Bearer wrong' });
  const begin = async () => (await sendUpload('post', UPLOADS, client)).headers.get('Location')?.slice(-43);
  const checksum = { 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` };
  const forRequest = (urlToken: string) => ({
    headers: { 'Upload-Metadata': `request ${Buffer.from(urlToken).toString('base64')}` },
  });
  const fields = { request: 'tulip?', response_file_attachments: true };
  const { url_token: closed } = (await client.post(REQUESTS, { request: fields })).body;
  await client.delete(`${REQUESTS}/${closed}`);

  await ask(running.anonymous, 'options', UPLOADS);
  await sendUpload('post', UPLOADS, wrong);
  await sendUpload('post', UPLOADS, client, forRequest(closed));
  await sendUpload('post', UPLOADS, client, forRequest('x'.repeat(43)));
  const refused: Record<string, string>[] = [
    { 'Tus-Resumable': '2.0.0' },
    { 'Upload-Length': 'x' },
    { 'Upload-Length': '1000' },
    { ...PART, 'Content-Encoding': 'gzip' },
    { ...PART, ...checksum },
  ];
  for (const headers of refused) await sendUpload('post', UPLOADS, client, { headers, body: 'tulip' });
  const store = running.app.get(FileStore);
  const full = new StoreUnavailable(new ReserveReached('full'), true);
  const fillStore = () => jest.spyOn(store, 'append').mockRejectedValueOnce(full);
  fillStore();
  await sendUpload('post', UPLOADS, client, { headers: PART, body: 'tulip' });

  const operations = documentedResponses.filter((answer) => / \/api\/v2\/uploads\/\{id\} 204$/.test(answer));
  for (const [method = ''] of ['head', ...operations].map((operation) => operation.split(' '))) {
    const id = await begin();
    await sendUpload(method, UPLOAD, wrong, { id });
    await sendUpload(method, UPLOAD, client);
    await sendUpload(method, UPLOAD, client, { id, headers: { 'Tus-Resumable': '2.0.0' } });
    if (method === 'patch' || method === 'post') {
      const send = (headers: Record<string, string>, body = 'tulip') =>
        sendUpload(method, UPLOAD, client, { id, headers, body });
      await send({ 'Content-Type': 'text/plain' });
      await send({ 'Upload-Offset': '1' });
      await send({}, 'tulips');
      await send(checksum);
      fillStore();
      await send({});
      const held = { appender: 'another', appendUntil: Date.now() + 8000 };
      await manager.update(PartialUpload, { id: Not('') }, held);
      await send({});
      await manager.update(PartialUpload, { id: Not('') }, { appender: null });
    }
    await sendUpload(method, UPLOAD, client, { id, ...(method !== 'head' && { body: 'tulip' }) });
    const ended = await begin();
    await manager.update(PartialUpload, { id: Not('') }, { endsAt: new Date(0) });
    await sendUpload(method, UPLOAD, client, { id: ended });
  }
}

/** A client whose token may be used for this alone. */
async function limitedClient({ app, anonymous, ...running }: RunningApp, scope: TokenScope): Promise<Client> {
  const { email } = await running.newUser();
  const user = await app.get(UsersService).findByEmail(email);
  if (!user) throw new Error('no account');
  const token = await app.get(TokensService).create(user, { name: 'limited', scope });
  return anonymous.with({ Authorization: `Bearer ${token}` });
}

async function askOf(version: Face, running: RunningApp): Promise<void> {
  const { one, below, list, key } = version;
  const owner = (await running.newUser()).client;
  const mallory = (await running.newUser()).client;
  const { anonymous } = running;
  const wrong = anonymous.with({ Authorization: 'Bearer wrong' });

  const secret = { ...FIELDS, name: 'spring', note: 'for Ada', passphrase: 'horse' };
  const { url_token: protectedPush } = (await create(version, owner, secret)).body;
  const { url_token: plain } = (await create(version, owner, { ...FIELDS, retrieval_step: true })).body;
  await create(version, owner, {});
  await post(version.create, owner, '{');
  await post(version.create, owner.with({ 'Content-Encoding': 'gzip' }), '{}');
  await postTooSlowly(version.create, version.create, running);
  await create(version, wrong, FIELDS);
  if (version.isForAnybody) {
    await create(version, anonymous, FIELDS); // files need a token
    await create(version, anonymous, { payload: 'x'.repeat(14 * 1024 * 1024) });
  } else {
    const form = new URLSearchParams({ [`${key}[payload]`]: 'x'.repeat(14 * 1024 * 1024) });
    await post(version.create, owner, form);
  }
  await create(version, owner, { ...FIELDS, expire_after_days: 0 });
  await create(version, owner, { payload: '', expire_after_days: 0, kind: 'tulip', files: 7 });

  for (const path of [list('active'), list('expired')]) {
    await ask(owner, 'get', path);
    await ask(owner, 'get', path, '', '?page=0');
    await ask(anonymous, 'get', path);
  }

  await ask(anonymous, 'get', one, protectedPush);
  await ask(anonymous, 'get', one, protectedPush, '?passphrase=cow');
  await ask(anonymous, 'get', one, protectedPush, '?passphrase=horse');
  await ask(anonymous, 'get', one, protectedPush, '?passphrase=a&passphrase=b');
  await ask(anonymous, 'get', one, 'unknown');
  await ask(wrong, 'head', one, plain);
  await ask(anonymous, 'head', one, plain);
  await ask(anonymous, 'head', one, 'unknown');

  await ask(anonymous, 'get', below('preview'), plain);
  await ask(wrong, 'get', below('preview'), plain);
  await ask(anonymous, 'get', below('preview'), 'unknown');

  await ask(owner, 'get', below('audit'), protectedPush);
  await ask(owner, 'get', below('audit'), protectedPush, '?page=x');
  await ask(anonymous, 'get', below('audit'), protectedPush);
  await ask(mallory, 'get', below('audit'), protectedPush);
  await ask(owner, 'get', below('audit'), 'unknown');

  await ask(anonymous, 'delete', one, plain);
  await ask(mallory, 'delete', one, plain);
  await ask(owner, 'delete', one, plain);
  await ask(owner, 'delete', one, 'unknown');
  await ask(anonymous, 'get', one, plain);
  await ask(owner, 'get', list('expired'));
}

async function askOfRequests(running: RunningApp): Promise<void> {
  const owner = (await running.newUser()).client;
  const mallory = (await running.newUser()).client;
  const { anonymous } = running;
  const wrong = anonymous.with({ Authorization: 'Bearer wrong' });
  const protectedRequest = (
    await createRequest(owner, { request: { request: 'tulip?', passphrase: 'horse' } })
  ).body.url_token;
  const { url_token: plain } = (await createRequest(owner)).body;
  const ofTwo = { request: 'tulip?', answers: 2, include_requestor: true, name: 'spring', note: 'for Ada' };
  const { url_token: asking } = (await createRequest(owner, { request: ofTwo })).body;
  await createRequest(owner, {});
  await createRequest(owner.with({ 'Content-Encoding': 'gzip' }), '{}');
  await createRequest(owner, { request: { request: 'x'.repeat(2 * 1024 * 1024) } });
  await createRequest(owner, { request: { request: '', answers: 0 } });
  await createRequest(anonymous);
  await postTooSlowly(REQUESTS, REQUESTS, running);

  await ask(anonymous, 'get', REQUEST, protectedRequest);
  await ask(anonymous, 'get', REQUEST, asking);
  await ask(owner, 'get', REQUEST, asking);
  await ask(anonymous, 'get', `${REQUEST}/preview`, asking);
  await ask(wrong, 'get', `${REQUEST}/preview`, asking);
  for (const method of ['post', 'patch'] as const) {
    await answerRequest(method, anonymous, protectedRequest);
    await answerRequest(method, anonymous, asking, '{');
    await answerRequest(method, anonymous.with({ 'Content-Encoding': 'gzip' }), asking);
    await answerRequest(method, anonymous, asking, '{"request":{"response":""}}');
    await answerRequest(method, anonymous, asking, 'x'.repeat(14 * 1024 * 1024));
    await sendTooSlowly(method, RESPOND, filledIn(RESPOND, asking), running);
    await answerRequest(method, anonymous, asking);
    await answerRequest(method, anonymous, 'unknown');
  }
  await answerRequest('post', anonymous, asking);
  await answerRequest('patch', anonymous, asking);
  await ask(anonymous, 'get', REQUEST, asking);
  await ask(owner, 'get', `${REQUEST}/audit`, asking);
  await ask(owner, 'get', `${REQUEST}/audit`, asking, '?page=x');
  await ask(anonymous, 'get', `${REQUEST}/audit`, asking);
  await ask(mallory, 'get', `${REQUEST}/audit`, asking);
  for (const state of ['open', 'closed']) {
    await ask(owner, 'get', `${REQUESTS}/${state}`);
    await ask(owner, 'get', `${REQUESTS}/${state}`, '', '?page=0');
    await ask(anonymous, 'get', `${REQUESTS}/${state}`);
  }
  await ask(anonymous, 'delete', REQUEST, plain);
  await ask(mallory, 'delete', REQUEST, plain);
  await ask(owner, 'delete', REQUEST, plain);
  for (const path of ['', '/preview', '/audit']) await ask(owner, 'get', REQUEST + path, 'unknown');
  await ask(owner, 'delete', REQUEST, 'unknown');
}

/** The API has no requests by default. */
async function requestWithoutRequests(): Promise<void> {
  const running = await forThisTest(startApp());
  const { client } = await running.newUser();
  expect((await createRequest(client)).status).toBe(404);
  for (const state of ['open', 'closed']) await ask(client, 'get', `${REQUESTS}/${state}`);
}

async function requestMails(): Promise<void> {
  const running = await forThisTest(startApp(WITH_MAIL));
  const owner = (await running.newUser()).client;
  const mallory = (await running.newUser()).client;
  const { url_token } = await owner.push({ payload: 'tulip' });
  await mailLink(owner, url_token);
  await mailLink(owner, url_token, '{');
  await mailLink(running.anonymous, url_token);
  await mailLink(mallory, url_token);
  await mailLink(owner, 'unknown');
  await postTooSlowly(MAIL_LINK, filledIn(MAIL_LINK, url_token), running);
  await mailLink(owner, url_token, { notify_emails_to: 'x'.repeat(34 * 1024 * 1024) });
  await mailLink(owner.with({ 'Content-Encoding': 'gzip' }), url_token, '{}');
  await mailLink(owner, url_token, { notify_emails_to: 'nobody' });
  await askForCodes(running);
}

async function askForCodes(running: RunningApp): Promise<void> {
  const { anonymous } = running;
  const { url_token } = await anonymous.push({ payload: 'tulip', recipients: ['ada@example.org'] });
  await mailCode(anonymous, url_token);
  await mailCode(anonymous, url_token, '{');
  await mailCode(anonymous, url_token, { email: 'ada' });
  await mailCode(anonymous, url_token, { email: 'x'.repeat(14 * 1024 * 1024) });
  await mailCode(anonymous, 'unknown');
  await mailCode(anonymous.with({ Authorization: 'Bearer wrong' }), url_token);
  await mailCode(anonymous.with({ 'Content-Encoding': 'gzip' }), url_token, '{}');
  await postTooSlowly(CODE, filledIn(CODE, url_token), running);
  await ask(anonymous, 'get', V2.one, url_token);
}

async function askForAudit(running: RunningApp): Promise<void> {
  const { client } = await running.newUser();
  await create(V2, client, FIELDS);
  await ask(client, 'get', '/api/v2/audit');
  await ask(client, 'get', '/api/v2/audit', '', '?after=x');
  await ask(running.anonymous, 'get', '/api/v2/audit');
}

async function askOfFiles(running: RunningApp): Promise<void> {
  const { anonymous } = running;
  const ticket = await ticketFor((await running.newUser()).client);
  await ask(anonymous, 'get', FILE, ticket);
  await ask(anonymous.with({ Range: 'bytes=1-2' }), 'get', FILE, ticket);
  await ask(anonymous.with({ Range: 'bytes=9-' }), 'get', FILE, ticket);
  await ask(anonymous, 'get', FILE, 'unknown');
  await ask(anonymous, 'head', FILE, ticket);
  await ask(anonymous, 'head', FILE, 'unknown');
}

async function askForPages({ anonymous }: RunningApp): Promise<void> {
  const { url_token } = await anonymous.push({ payload: 'tulip' });
  for (const path of [...PAGES, ...REDIRECTS.flatMap((it) => [`/${it}`, `/${it}/r`])]) {
    await ask(anonymous, 'get', path, url_token);
    await ask(anonymous, 'get', path, 'unknown');
  }
  await ask(anonymous, 'get', '/api_tokens');
  await ask(anonymous, 'get', '/help/api');
}

async function askForChanges(running: RunningApp): Promise<void> {
  const owner = (await running.newUser()).client;
  const { url_token } = await owner.push({
    ...{ payload: 'tulip', opens_at: new Date(Date.now() + 60_000), expire_after_first_view: 4 },
    allowed_networks: ['127.0.0.1', '::1'],
  });
  await change(owner, url_token);
  await change(owner, url_token, '{');
  await change(running.anonymous, url_token);
  await change(owner, 'unknown');
  await change(owner, url_token, `"${'x'.repeat(100_000)}"`);
  await change(owner.with({ 'Content-Encoding': 'gzip' }), url_token);
  await change(owner, url_token, '{"push":{"expire_after_views":3}}');
  await sendTooSlowly('patch', PUSH, filledIn(PUSH, url_token), running);
  await ask(owner, 'get', PUSH, url_token); // not yet
  await ask(owner, 'get', '/api/v2/pushes/active');
}

/** Sends the beginning of a body, and waits until it times out. */
const postTooSlowly = (described: string, path: string, running: RunningApp) =>
  sendTooSlowly('post', described, path, running);

/** The same with another method. */
async function sendTooSlowly(
  method: string,
  described: string,
  path: string,
  running: RunningApp,
): Promise<void> {
  const { app, url } = running;
  const headers = {
    Authorization: `Bearer ${(await running.newUser()).token}`,
    'Content-Type': 'application/json',
    'Content-Length': '1000',
  };
  const pending = sendRaw(url, { method: method.toUpperCase(), path, headers, body: '{' });
  const bodies = app.get(BodiesInProgress);
  await eventually(() => Promise.resolve(bodies.count === 1));
  bodies.refuseOverdue(performance.now() + HOUR_MS);
  const answer = await pending;
  await check(
    method,
    described,
    Promise.resolve({ ...answer, headers: new Headers(answer.headers as Record<string, string>) }),
  );
}

async function requestWhileTablesAreMissing(): Promise<void> {
  const running = await forThisTest(startApp({ ...WITH_MAIL, ...WITH_REQUESTS }));
  const owner = await running.newUser();
  const ticket = await ticketFor(owner.client);
  const other = await connectBeside(running.instance);
  for (const table of [
    'files',
    'audit_entries',
    'passphrase_attempts',
    'open_codes',
    'openings',
    'idempotency_keys',
    'uploads',
    'request_answers',
    'request_audit_entries',
    'request_passphrase_attempts',
    'requests',
    'pushes',
    'migrations',
  ]) {
    await other.query(`ALTER TABLE ${table} RENAME TO former_${table}`);
  }
  await other.close();

  for (const [method, path] of thatAnswer(500)) {
    const pending = sendTo(method, path, owner.client, path === FILE ? ticket : WELL_FORMED);

    expect((await pending).status).toBe(500);
  }
  expect((await ask(running.anonymous, 'get', '/ready')).status).toBe(503);
}

async function requestWhileDatabaseIsUnreachable(): Promise<void> {
  const instance = await makeInstance();
  const databaseProxy = engine.name === 'sqlite' ? undefined : await startDatabaseProxy(instance);
  const running = await forThisTest(
    startApp({ ...WITH_MAIL, ...WITH_REQUESTS }, { instance: databaseProxy?.instance ?? instance }),
  );
  const { client } = await running.newUser();
  const { url_token } = await client.push({ payload: 'tulip' });
  const { url_token: named } = await client.push({ payload: 'tulip', recipients: ['ada@example.org'] });
  const ticket = await ticketFor(client);
  const { url_token: asking } = (await client.post(REQUESTS, { request: { request: 'tulip?' } })).body;

  const { headers: begun } = await sendUpload('post', UPLOADS, client);
  const upload = begun.get('Location')?.slice(-43) ?? '';

  if (databaseProxy) databaseProxy.stop();
  else
    await running.app
      .get(UnitOfWork)
      .outsideTransaction((manager) => manager.query('PRAGMA query_only = ON'));
  for (const [method, path] of thatAnswer(503)) {
    const name = `${method} ${path} 503`;
    if (!databaseProxy && [...NEVER_UNAVAILABLE_ON_SQLITE, 'get /ready 503'].includes(name)) continue;
    const token = path.startsWith(REQUESTS)
      ? asking
      : path === CODE
        ? named
        : path === UPLOAD
          ? upload
          : url_token;
    const pending = sendTo(method, path, client, path === FILE ? ticket : token);

    expect([name, (await pending).status]).toEqual([name, 503]);
  }
  await instance.destroy();
}

async function requestTooOften(): Promise<void> {
  const running = await forThisTest(
    startApp({
      ...WITH_REQUESTS,
      REQUESTS_PER_MINUTE: '1',
      PAGE_REQUESTS_PER_MINUTE: '1',
    }),
  );
  await running.anonymous.get('/api/v2/version');
  await running.anonymous.get('/');
  for (const [method, path] of thatAnswer(429)) {
    expect((await ask(running.anonymous, method, path)).status).toBe(429);
  }
}

function exampleRefusals(): string[] {
  return [400, 401, 403, 404, 408, 410, 413, 415, 416, 422, 429, 500, 503].flatMap((status) =>
    examplesOf(status).map((example) => `${status} ${JSON.stringify(example)}`),
  );
}
