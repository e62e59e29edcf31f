import type { ClientResponse } from '../support/client.js';
import { forThisTest } from '../support/for-tests.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser } from '../support/page-client.js';

const PREFLIGHT = {
  Origin: 'https://elsewhere.example',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization,content-type,x-user-email,x-user-token',
};
const OPENING = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Content-Type, Authorization, X-User-Email, X-User-Token',
};

/** The CORS headers of a response. */
function openingOf({ headers }: ClientResponse): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

describe('Pages of other origins', () => {
  let running: RunningApp;

  const start = async (env: Record<string, string> = {}) => {
    running = await forThisTest(startApp(env));
    return running.anonymous.with({ Origin: 'https://elsewhere.example' });
  };

  it.each(['/p.json', '//p.json', '/p.json/', '/en/p.json'])(
    'can send a preflight request for POST to %s',
    async (path) => {
      await start({ ALLOW_ANONYMOUS: 'false' });
      const answer = await running.anonymous.with(PREFLIGHT).send('OPTIONS', path);

      expect(answer).toMatchObject({ status: 204, body: '' });
      expect(openingOf(answer)).toEqual(OPENING);
    },
  );

  it('can read every response to POST /p.json', async () => {
    const elsewhere = await start();
    const wrong = elsewhere.with({ Authorization: 'Bearer wrong' });
    const answers = [
      await elsewhere.post('/p.json', { password: { payload: 'tulip' } }),
      await elsewhere.post('//p.json/', { password: { payload: 'tulip' } }),
      await elsewhere.post('/p.json', '{'),
      await wrong.post('/p.json', { password: { payload: 'tulip' } }),
      await elsewhere.post('/p.json', { password: { payload: '' } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 401, 422]);
    for (const answer of answers) expect(openingOf(answer)).toEqual(OPENING);
  });

  it('can read that they send too many requests', async () => {
    const elsewhere = await start({ REQUESTS_PER_MINUTE: '1' });
    await elsewhere.post('/p.json', { password: { payload: 'tulip' } });
    const answer = await elsewhere.post('/p.json', { password: { payload: 'tulip' } });

    expect(answer.status).toBe(429);
    expect(openingOf(answer)).toEqual(OPENING);
  });

  it('have no access to other routes (D2)', async () => {
    const elsewhere = await start();
    const { client } = await running.newUser();
    const { url_token: token } = await client.push({ payload: 'tulip', deletable_by_viewer: true });
    const paths = [
      '/api',
      '/api/v1/version.json',
      '/api/v2/version',
      '/api/v2/pushes',
      '/p',
      '/p.json',
      '/f.json',
      '/r.json',
      `/p/${token}.json`,
      `/api/v2/pushes/${token}`,
      `/p/${token}/preview.json`,
      '/p/active.json',
      '/files/unknown',
    ];
    for (const path of paths) {
      const answers = [await elsewhere.get(path), await elsewhere.head(path), await elsewhere.delete(path)];
      if (path !== '/p.json') {
        answers.push(await elsewhere.with(PREFLIGHT).send('OPTIONS', path), await elsewhere.post(path, {}));
        expect(answers[3]?.status).toBe(404);
      }
      for (const answer of answers) expect({ path, ...openingOf(answer) }).toEqual({ path });
    }
  });

  it('can send an API token, and read its refusal', async () => {
    const elsewhere = await start();
    const { token, email, client } = await running.newUser();
    const body = { password: { payload: 'tulip' } };
    const answers = [
      await elsewhere.with({ Authorization: `Bearer ${token}` }).post('/p.json', body),
      await elsewhere.with({ 'X-User-Email': email, 'X-User-Token': token }).post('/p.json', body),
      await elsewhere.with({ 'X-User-Email': email, 'X-User-Token': 'wrong' }).post('/p.json', body),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 401]);
    for (const answer of answers) expect(openingOf(answer)).toEqual(OPENING);
    expect((await client.get('/p/active.json')).body).toHaveLength(2);
  });

  it('cannot use the session cookie of a user (D2)', async () => {
    const elsewhere = await start();
    const { pageClient } = await newSignedInUser(running);
    const answer = await elsewhere.with({ Cookie: pageClient.cookies }).post('/p.json', {
      password: { payload: 'tulip' },
    });

    expect(answer.status).toBe(201);
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    expect((await pageClient.get('/pushes')).body).not.toContain(answer.body.url_token);
  });

  it('are supported with the exact requests that browsers send', async () => {
    await start();
    const { token, email } = await running.newUser();
    const { host } = new URL(running.url);
    const browser = [
      'Origin: https://elsewhere.example',
      'Sec-Fetch-Mode: cors',
      'Sec-Fetch-Site: cross-site',
    ];
    const body = '{"password":{"payload":"tulip"}}';
    const preflight = requestBytes([
      'OPTIONS /p.json HTTP/1.1',
      `Host: ${host}`,
      'Accept: */*',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: content-type,x-user-email,x-user-token',
      ...browser,
    ]);
    const post = requestBytes(
      [
        'POST /p.json HTTP/1.1',
        `Host: ${host}`,
        `Content-Length: ${body.length}`,
        'content-type: application/json',
        `x-user-email: ${email}`,
        `x-user-token: ${token}`,
        ...browser,
      ],
      body,
    );

    const [allowed, made] = await sendBytes(running.url, Buffer.concat([preflight, post]), 2);

    expect(allowed).toMatchObject({ status: 204, headers: OPENING });
    expect(made).toMatchObject({ status: 201, headers: OPENING });
  });
});
