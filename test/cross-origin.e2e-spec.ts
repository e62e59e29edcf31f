import type { Answer } from './support/client.js';
import type { RunningApp } from './support/start-app.js';
import { startApp } from './support/start-app.js';

const PREFLIGHT = {
  Origin: 'https://elsewhere.example',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'content-type',
};
const OPENING = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Content-Type',
};

/** What an answer allows to pages of other origins. */
function openingOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

describe('Pages of other origins', () => {
  let running: RunningApp;

  afterEach(() => running.stop());
  const start = async (env: Record<string, string> = {}) => {
    running = await startApp(env);
    return running.anonymous.with({ Origin: 'https://elsewhere.example' });
  };

  it.each(['/p.json', '//p.json', '/p.json/'])('may ask first whether they may POST to %s', async (path) => {
    await start({ ALLOW_ANONYMOUS: 'false' });
    const answer = await running.anonymous.with(PREFLIGHT).send('OPTIONS', path);

    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(openingOf(answer)).toEqual(OPENING);
  });

  it('read the answer to POST /p.json, whatever it is', async () => {
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

  it('read that they send too much', async () => {
    const elsewhere = await start({ REQUESTS_PER_MINUTE: '1' });
    await elsewhere.post('/p.json', { password: { payload: 'tulip' } });
    const answer = await elsewhere.post('/p.json', { password: { payload: 'tulip' } });

    expect(answer.status).toBe(429);
    expect(openingOf(answer)).toEqual(OPENING);
  });

  it('may do nothing else (D2)', async () => {
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

  it('never send credentials along (D2)', async () => {
    const elsewhere = await start();
    const answer = await elsewhere.with({ Cookie: 'session=x' }).post('/p.json', {
      password: { payload: 'tulip' },
    });

    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    expect(answer.headers.get('access-control-allow-headers')).not.toMatch(/authorization|x-user/i);
  });
});
