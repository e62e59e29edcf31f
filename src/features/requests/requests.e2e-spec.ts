import { User } from '../../auth/entities/user.entity.js';
import { auditKinds } from '../../../test/support/audit-kinds.js';
import type { ClientResponse } from '../../../test/support/client.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { encoded, formOf } from '../../../test/support/files.js';
import { forAllTests, forEachTest } from '../../../test/support/for-tests.js';
import { ageRecipient, ask, respond } from '../../../test/support/requests.js';
import { startApp } from '../../../test/support/start-app.js';

const KEYS = [
  'answers',
  'answers_remaining',
  'client_encrypted',
  'close_after_at',
  'close_after_duration',
  'created_at',
  'html_url',
  'include_requestor',
  'json_url',
  'passphrase_required',
  'recipient',
  'request',
  'response_file_attachments',
  'retrieval_step',
  'state',
  'updated_at',
  'url_token',
];
const DAY_MS = 24 * 60 * 60 * 1000;

const keysOf = ({ body }: ClientResponse) => Object.keys(body as object).sort();

describe('Requests in the API', () => {
  const running = forAllTests(() =>
    startApp({
      ENABLE_REQUESTS_API: 'true',
      ANSWERS_PER_MINUTE: '0',
      MAX_OPEN_REQUESTS: '30',
      MAX_REQUEST_SIZE: '1000',
      PUBLIC_URL: 'https://push.example.org',
    }),
  );
  const owner = forEachTest(() => running.newUser());
  const other = forEachTest(() => running.newUser());

  const at = (urlToken: string, path = '') => `/api/v2/requests/${urlToken}${path}`;
  const create = (request: object) => owner.client.post('/api/v2/requests', { request });
  const answersOf = async (urlToken: string): Promise<string[]> =>
    (await owner.client.get(at(urlToken))).body.answer_url_tokens;

  it('are told by the version', async () => {
    expect((await running.anonymous.get('/api/v2/version')).body.features.requests).toEqual({
      enabled: true,
    });
  });

  it('are created with defaults', async () => {
    const answer = await create({ request: 'Your key, please' });

    expect(answer.status).toBe(201);
    expect(keysOf(answer)).toEqual([...KEYS, 'name', 'note'].sort());
    const { url_token: urlToken, created_at, ...request } = answer.body;
    expect(request).toMatchObject({
      request: 'Your key, please',
      state: 'open',
      close_after_duration: 12,
      answers: 1,
      answers_remaining: 1,
      include_requestor: false,
      response_file_attachments: true,
      client_encrypted: false,
      recipient: null,
      html_url: `https://push.example.org/requests/${urlToken}`,
      json_url: `https://push.example.org/api/v2/requests/${urlToken}`,
    });
    expect(Date.parse(request.close_after_at) - Date.parse(created_at)).toBe(7 * DAY_MS);
  });

  it.each([
    ['an urlencoded form', new URLSearchParams({ 'request[request]': 'Your key', 'request[answers]': '3' })],
    ['a multipart form', formOf([], { request: 'Your key', answers: '3' }, 'request')],
    [
      'a form with a file, which is ignored',
      formOf([{ name: 'a', content: 'b' }], { request: 'Your key', answers: '3' }, 'request'),
    ],
  ])('are created by %s', async (_encoding, body) => {
    const answer = await owner.client.post('/api/v2/requests', body);

    expect([answer.status, answer.body.request, answer.body.answers]).toEqual([201, 'Your key', 3]);
  });

  it.each([null, '', false, 0])('have no recipient if it is %j', async (recipient) => {
    const { status, body } = await create({ request: 'Your key', recipient });

    expect([status, body.recipient]).toEqual([201, null]);
  });

  it('are refused with what is wrong with each field', async () => {
    const answer = await create({
      request: ' ',
      name: 'x'.repeat(256),
      note: 7,
      passphrase: 'x'.repeat(256),
      recipient: 'age1tulip',
      close_after_duration: 18,
      answers: 101,
      expire_after_days: 0,
      expire_after_views: 'many',
      deletable_by_viewer: 'perhaps',
      response_file_attachments: [],
      include_requestor: 2,
      notify_emails_to: 'ada@example.org',
      notify_on: ['answered'],
    });

    expect(answer).toMatchObject({
      status: 422,
      body: {
        request: ["can't be blank"],
        name: ['must have at most 255 characters'],
        note: ['must be a string'],
        passphrase: ['must have at most 255 characters'],
        recipient: ['must be an age recipient (age1…)'],
        close_after_duration: ['must be a whole number from 0 to 17'],
        answers: ['must be a whole number from 1 to 100'],
        expire_after_days: ['must be a whole number from 1 to 90'],
        expire_after_views: ['must be a whole number from 1 to 100'],
        deletable_by_viewer: ['must be true or false'],
        response_file_attachments: ['must be true or false'],
        include_requestor: ['must be true or false'],
        notify_emails_to: ['are not available'],
        notify_on: ['are not available'],
      },
    });
    expect((await create({})).status).toBe(400);
    expect((await create({ request: 'x'.repeat(10_001) })).body.request).toEqual([
      'must have at most 10000 characters',
    ]);
    expect((await running.anonymous.post('/api/v2/requests', { request: { request: 'a' } })).status).toBe(
      401,
    );
  });

  it('are limited by account, exactly', async () => {
    const answers = await allAtOnce(40, () => create({ request: 'Your key' }));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    expect(answers.find(({ status }) => status === 422)?.body).toEqual({
      base: ['At most 30 requests can be open. Close one first.'],
    });
    await owner.client.delete(at(answers.find(({ status }) => status === 201)?.body.url_token));
    expect((await create({ request: 'Your key' })).status).toBe(201);
  });

  it('show what is asked to whoever has the link, and nothing that is the owner’s own', async () => {
    const asked = await ask(owner.client, { name: 'shop', note: 'for Ada', include_requestor: true });
    for (const client of [running.anonymous, other.client]) {
      const answer = await client.get(at(asked.url_token));
      expect(keysOf(answer)).toEqual([...KEYS, 'requestor'].sort());
      expect(answer.body).toMatchObject({ request: asked.request, requestor: owner.email, state: 'open' });
    }
    const quiet = await ask(owner.client);
    expect((await running.anonymous.get(at(quiet.url_token))).body.requestor).toBeUndefined();
    await running.query('UPDATE users SET email_unverified = TRUE WHERE id = ?', [owner.id]);
    expect((await running.anonymous.get(at(asked.url_token))).body.requestor).toBeUndefined(); // it may be somebody else's
    expect((await owner.client.get(at(asked.url_token))).body).toMatchObject({
      name: 'shop',
      note: 'for Ada',
      answer_url_tokens: [],
    });
  });

  it('become a push of the account with each answer, which only the account can open', async () => {
    const asked = await ask(owner.client, {
      name: 'shop',
      answers: 2,
      expire_after_views: 3,
      expire_after_days: 2,
    });
    const answered = await respond(running.anonymous, asked.url_token, 'correct horse');

    expect(answered).toMatchObject({ status: 201, body: { state: 'open', answers_remaining: 1 } });
    expect(keysOf(answered)).toEqual(['answers_remaining', 'state']);
    const [token = ''] = await answersOf(asked.url_token);
    for (const client of [running.anonymous, other.client]) {
      const paths = ['', '/preview'].map((path) => `/api/v2/pushes/${token}${path}`);
      for (const path of [...paths, `/p/${token}.json`])
        expect([path, (await client.get(path)).status]).toEqual([path, 404]);
      expect((await client.head(`/api/v2/pushes/${token}`)).status).toBe(404);
      expect((await client.delete(`/api/v2/pushes/${token}`)).status).toBe(404);
      expect((await client.get(`/p/${token}`)).status).toBe(404);
    }
    const opened = await owner.client.retrieve(token);
    expect(opened.body).toMatchObject({
      payload: 'correct horse',
      owner_only: true,
      views_remaining: 3,
      expire_after_days: 2,
      passphrase_required: false,
    });
    expect((await owner.client.get('/api/v2/pushes/active')).body).toMatchObject([
      { url_token: token, name: 'shop' },
    ]);
    expect(await auditKinds(owner.client, token)).toEqual(['creation', 'owner_view']);
  });

  it('take no field of an answer but the secret', async () => {
    const asked = await ask(owner.client);
    const { status } = await running.anonymous.post(at(asked.url_token, '/respond'), {
      request: {
        response: 'tulip',
        expire_after_views: 99,
        name: 'mine',
        passphrase: 'mine',
        kind: 'url',
        notify_on: 'each_view',
        ownerOnly: false,
      },
    });
    const [token = ''] = await answersOf(asked.url_token);
    const { body } = await owner.client.retrieve(token);

    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'text', payload: 'tulip', expire_after_views: 5, owner_only: true });
  });

  it('take a PATCH as well, and refuse an answer without a secret', async () => {
    const asked = await ask(owner.client);
    const path = at(asked.url_token, '/respond');
    const json = { 'Content-Type': 'application/json' };

    expect((await running.anonymous.post(path, { request: { response: ' ' } })).body).toEqual({
      response: ["can't be blank"],
    });
    expect((await running.anonymous.post(path, {})).status).toBe(400);
    expect(
      (await running.anonymous.send('PATCH', path, '{"request":{"response":"tulip"}}', json)).status,
    ).toBe(201);
    expect((await running.anonymous.post(path, { request: { response: 'rose' } })).status).toBe(410);
  });

  it('take files, in forms and in JSON, up to their limit', async () => {
    const asked = await ask(owner.client, { answers: 5 });
    const path = at(asked.url_token, '/respond');
    const file = (length: number) => ({ name: 'a.txt', content: Buffer.alloc(length, 'x') });

    expect((await running.anonymous.post(path, formOf([file(600)], {}, 'request'))).status).toBe(201);
    const [token = ''] = await answersOf(asked.url_token);
    expect((await owner.client.retrieve(token)).body).toMatchObject({
      kind: 'file',
      files: [{ filename: 'a.txt' }],
    });

    for (const body of [formOf([file(401)], {}, 'request'), { request: { files: encoded([file(401)]) } }])
      expect(await running.anonymous.post(path, body)).toMatchObject({
        status: 422,
        body: { files: ['must have at most 1000 bytes in all answers to this request'] },
      });
    expect((await running.anonymous.post(path, { request: { files: encoded([file(400)]) } })).status).toBe(
      201,
    );
    expect((await running.anonymous.post(path, formOf([file(1)], {}, 'request'))).status).toBe(422);
    expect((await respond(running.anonymous, asked.url_token, 'only text')).status).toBe(201);
  });

  it('take no files if they are not wanted', async () => {
    const asked = await ask(owner.client, { response_file_attachments: false });
    const path = at(asked.url_token, '/respond');
    const file = { name: 'a.txt', content: 'tulip' };

    for (const body of [formOf([file], {}, 'request'), { request: { files: encoded([file]) } }])
      expect(await running.anonymous.post(path, body)).toMatchObject({
        status: 422,
        body: { files: ['cannot be attached to an answer to this request'] },
      });
    expect(await answersOf(asked.url_token)).toEqual([]);
  });

  it('are listed by state for their owner only', async () => {
    const [first, second, third] = [
      await ask(owner.client),
      await ask(owner.client),
      await ask(owner.client),
    ] as const;
    await respond(running.anonymous, second.url_token, 'tulip');
    await owner.client.delete(at(first.url_token));
    const tokensIn = async (state: string, client = owner.client) =>
      (await client.get(`/api/v2/requests/${state}`)).body.map(({ url_token }: any) => url_token);

    expect(await tokensIn('open')).toEqual([third.url_token]);
    expect(await tokensIn('closed')).toEqual([first.url_token, second.url_token]);
    expect(await tokensIn('open', other.client)).toEqual([]);
    expect((await running.anonymous.get('/api/v2/requests/open')).status).toBe(401);
    expect((await owner.client.get('/api/v2/requests/open?page=0')).status).toBe(400);
    expect((await owner.client.get('/api/v2/requests/open')).headers.get('x-total')).toBe('1');
  });

  it('say nothing but that they are closed, and keep their answers', async () => {
    const asked = await ask(owner.client, { answers: 2 });
    await respond(running.anonymous, asked.url_token, 'tulip');
    expect((await other.client.delete(at(asked.url_token))).status).toBe(403);
    expect((await running.anonymous.delete(at(asked.url_token))).status).toBe(401);
    const closed = await owner.client.delete(at(asked.url_token));

    expect(closed).toMatchObject({ status: 200, body: { state: 'closed', answers_remaining: 1 } });
    expect((await running.anonymous.get(at(asked.url_token))).body).toEqual({
      url_token: asked.url_token,
      state: 'closed',
    });
    expect(await respond(running.anonymous, asked.url_token, 'rose')).toMatchObject({
      status: 410,
      body: { error: 'This request is closed. It takes no more answers.' },
    });
    const [token = ''] = await answersOf(asked.url_token);
    expect((await owner.client.retrieve(token)).body.payload).toBe('tulip');
  });

  it('keep an audit log for their owner', async () => {
    const asked = await ask(owner.client, { passphrase: 'sesame' });
    await running.anonymous.get(at(asked.url_token, '?passphrase=wrong'));
    await running.anonymous
      .with({ 'X-Push-Passphrase': 'sesame', Referer: `https://example.org/?u=${asked.url_token}` })
      .post(at(asked.url_token, '/respond'), { request: { response: 'tulip' } });
    const log = await owner.client.get(at(asked.url_token, '/audit'));

    expect(log.body.logs.map(({ kind }: any) => kind)).toEqual(['creation', 'failed_passphrase', 'answer']);
    expect(log.body.logs[2].referrer).toBe('https://example.org');
    expect((await other.client.get(at(asked.url_token, '/audit'))).status).toBe(403);
    expect((await running.anonymous.get(at(asked.url_token, '/audit'))).status).toBe(401);
  });

  it('with a passphrase show and take nothing without it, and limit guesses', async () => {
    const asked = await ask(owner.client, { passphrase: 'sesame', answers: 9 });
    const path = at(asked.url_token);
    const secret = { request: { response: 'tulip' } };

    expect(asked.passphrase_required).toBe(true);
    expect(await running.anonymous.get(path)).toMatchObject({
      status: 401,
      body: { error: 'This request needs its passphrase.', status: 'unauthorized' },
    });
    expect((await running.anonymous.post(`${path}/respond`, secret)).status).toBe(401);
    expect((await owner.client.get(path)).body.request).toBe(asked.request);
    const right = running.anonymous.with({ 'X-Push-Passphrase': 'sesame' });
    expect((await right.get(path)).body.request).toBe(asked.request);
    expect((await right.post(`${path}/respond`, secret)).status).toBe(201);

    const guesses = await allAtOnce(30, (i) => running.anonymous.get(`${path}?passphrase=wrong-${i}`));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(25);
    expect((await right.get(path)).status).toBe(429);
    expect(await answersOf(asked.url_token)).toHaveLength(1);
  });

  it('with a recipient take only what is encrypted to one', async () => {
    const { recipient, encrypt } = await ageRecipient();
    const asked = await ask(owner.client, { recipient });
    const payload = await encrypt('correct horse');

    expect(asked).toMatchObject({ client_encrypted: true, recipient });
    expect(asked.html_url).toMatch(new RegExp(`/requests/${asked.url_token}#1[\\w-]{43}$`));
    expect((await running.anonymous.get(at(asked.url_token))).body.recipient).toBe(recipient);
    for (const response of ['correct horse', payload.replace('BEGIN AGE', 'BEGIN PGP')])
      expect(await respond(running.anonymous, asked.url_token, response)).toMatchObject({
        status: 422,
        body: {
          response: [
            'must be an armoured age file for the recipient of the request, when client_encrypted is true',
          ],
        },
      });
    const clear = formOf([{ name: 'a.txt', content: 'correct horse' }], { response: payload }, 'request');
    expect((await running.anonymous.post(at(asked.url_token, '/respond'), clear)).status).toBe(422);
    expect((await respond(running.anonymous, asked.url_token, payload)).status).toBe(201);
    const [token = ''] = await answersOf(asked.url_token);
    expect((await owner.client.retrieve(token)).body).toMatchObject({
      payload,
      client_encrypted: true,
      passphrase_required: false,
    });
  });

  it('of a disabled account take no answers until it is enabled again', async () => {
    const asked = await ask(owner.client);
    const users = running.dataSource.getRepository(User);
    await users.update(owner.id, { disabledAt: new Date() });
    expect((await respond(running.anonymous, asked.url_token, 'tulip')).status).toBe(410);
    expect((await running.anonymous.get(at(asked.url_token))).body.state).toBe('closed');
    await users.update(owner.id, { disabledAt: null });
    expect((await respond(running.anonymous, asked.url_token, 'tulip')).status).toBe(201);
  });

  it('never existed for a token that is wrong', async () => {
    for (const path of ['', '/preview', '/respond', '/audit'])
      expect((await owner.client.get(at('Fq3vN7mXzK1bT9cYwR5sH8', path))).status).toBe(404);
    expect((await respond(running.anonymous, 'Fq3vN7mXzK1bT9cYwR5sH8', 'tulip')).status).toBe(404);
  });
});
