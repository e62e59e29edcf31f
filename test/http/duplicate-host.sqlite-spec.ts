import { forAllTests } from '../support/for-tests.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';

describe('A request with two Host headers', () => {
  const running = forAllTests(startApp);

  const ask = async (path: string, ...hosts: string[]) => {
    const [answer] = await sendBytes(running.url, requestBytes([`GET ${path} HTTP/1.1`, ...hosts]));
    return answer;
  };

  it.each([
    ['Host: a', 'Host: b'],
    ['Host: a', 'Host: a'],
    ['host: a', 'X-Between: 1', 'HOST: b'],
    ['Host: a', 'Host:'],
  ])('is rejected (L19)', async (...hosts) => {
    expect(await ask('/api', ...hosts)).toMatchObject({
      status: 400,
      body: { error: 'There must be one Host header.' },
    });
    for (const path of ['/', '/users/sign_in', '/up', '/api/v2/version', '/nothing']) {
      expect((await ask(path, ...hosts))?.status).toBe(400);
    }
  });

  it.each(['//api//v2/version/', '/r/..json/', '/en/p/x.json'])(
    'is rejected in JSON even at %s, an unusual form of a path',
    async (path) => {
      const answer = await ask(path, 'Host: a', 'Host: b');
      expect(answer).toMatchObject({ status: 400, body: { error: 'There must be one Host header.' } });
    },
  );

  it('does not mean one with other headers twice', async () => {
    expect((await ask('/api', 'Host: a', 'Hosts: a', 'X-Host: b', 'X-Host: b'))?.status).toBe(200);
  });
});
