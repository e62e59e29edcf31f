import type { ClientResponse } from '../support/client.js';
import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

/** Words that make clients mistake a 403 for a rate limit, and retry. */
const THROTTLING = /rate.?limit|too many|throttl|retry|try again|wait/i;

describe('Validation errors', () => {
  let running: RunningApp;
  let owner: TestUser;
  let stranger: TestUser;

  afterEach(() => running.stop());
  const start = async (env: Record<string, string> = {}) => {
    running = await startApp(env);
    owner = await running.newUser();
    stranger = await running.newUser();
  };

  it.each(['0', '100'])(
    'with 403 do not mention rate limits (at most %s requests a minute)',
    async (limit) => {
      await start({ REQUESTS_PER_MINUTE: limit });
      const { url_token: token } = await owner.client.push({
        payload: 'tulip',
        files: [{ filename: 'a', content: 'YQ==' }],
      });
      const { body } = await owner.client.retrieve(token);
      await owner.client.delete(`/p/${token}.json`);
      const { url_token: kept } = await owner.client.push({ payload: 'tulip' });
      const answers = [
        await stranger.client.delete(`/p/${kept}.json`),
        await stranger.client.delete(`/api/v2/pushes/${kept}`),
        await stranger.client.get(`/p/${kept}/audit.json`),
        await stranger.client.get(`/api/v2/pushes/${kept}/audit`),
        await running.anonymous.get(new URL(body.files[0].url).pathname),
      ];

      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 403, body: { error: expect.any(String) } });
        expect(answer.headers.has('retry-after')).toBe(false);
        expect(JSON.stringify(answer.body)).not.toMatch(THROTTLING);
      }
    },
  );

  it.each(['/api/v2/version', '/api/v1/version.json', '/p/unknown.json', '/p/active.json', '/api/v2/pushes'])(
    'of floods at %s are 429 with Retry-After and JSON',
    async (path) => {
      await start({ REQUESTS_PER_MINUTE: '2' });
      const client = running.anonymous.with({ Accept: 'text/html' });
      const send = () => (path === '/api/v2/pushes' ? client.post(path, {}) : client.get(path));
      await send();
      await send();

      expectToWait(await send(), 60);
    },
  );

  it.each(['/p/:token.json', '/api/v2/pushes/:token'])(
    'of guesses at %s are 429 with Retry-After and JSON',
    async (path) => {
      await start();
      const { url_token: token } = await owner.client.push({ payload: 'tulip', passphrase: 'rose' });
      const guess = () => running.anonymous.get(`${path.replace(':token', token)}?passphrase=wrong`);
      for (let time = 1; time <= 5; time += 1) expect((await guess()).status).toBe(401);

      expectToWait(await guess(), 60);
    },
  );

  function expectToWait(answer: ClientResponse, max: number): void {
    const seconds = Number(answer.headers.get('retry-after'));

    expect(answer).toMatchObject({ status: 429, body: { error: expect.any(String) } });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= max).toBe(true);
  }
});
