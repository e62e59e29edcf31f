import { randomBytes } from 'node:crypto';
import { newApiToken } from '../support/command.js';
import { forEachTest } from '../support/for-tests.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { makeInstance } from '../support/instance.js';
import { spawnServer } from '../support/spawn-server.js';

describe('A server that receives secrets in URLs', () => {
  const instance = forEachTest(makeInstance);
  const server = forEachTest(() => spawnServer(instance, { LOG_LEVEL: 'debug' }));
  const secrets: string[] = [];
  const secret = (before = '', after = '') => {
    const text = randomBytes(12).toString('hex');
    secrets.push(text);
    return before + text + after;
  };
  const send = async (line: string, ...headers: string[]) => {
    const [answer] = await sendBytes(
      server.url,
      requestBytes([line, 'Host: push.example.org', ...headers, 'Content-Length: 0']),
    );
    if (!answer) throw new Error('no answer');
    return answer;
  };

  it('writes none of them to its log, whatever the outcome of the request (B10, H1)', async () => {
    const token = await newApiToken(instance);
    secrets.push(token);
    const statuses: number[] = [];

    for (const [path, key] of [
      ['/p.json', 'password'],
      ['//api//v2/pushes.json/', 'push'],
    ]) {
      const fields = () =>
        `${key}[payload]=${secret()}&${key}%5Bpassphrase%5D=${secret('%C3%BC')}&${key}[name]=${secret()}`;
      const target = () => `${path}?${fields()}&access_token=${secret()}&token=${token}`;
      const requests = [
        await send(`POST ${target()} HTTP/1.1`),
        await send(`POST ${target()} HTTP/1.1`, `Authorization: Bearer ${token}`),
        await send(`POST ${target()} HTTP/1.1`, `Authorization: Bearer ${secret()}`),
        await send(`POST ${target()}&${key}[kind]=${secret()} HTTP/1.1`),
        await send(`POST ${target()}&${key}[note]=%E9${secret()} HTTP/1.1`),
        await send(`POST ${target()}&${key}[payload][x]=${secret()} HTTP/1.1`),
        await send(`POST ${target()} HTTP/1.1`, `Content-Type: text/${secret()}`),
        await send(`POST ${path}/${secret()}?${fields()} HTTP/1.1`),
        await send(`POST ${path}/${secret()}%E9?${fields()} HTTP/1.1`),
        await send(`GET ${target()} HTTP/1.1`),
        await send(`POST ${target()} HTTP/9.9`),
      ];
      statuses.push(...requests.map(({ status }) => status));

      const urlToken = String(requests[0]?.body.url_token);
      const passphrase = `${secrets.at(-1)}`;
      secrets.push(urlToken);
      await send(`GET /p/${urlToken}.json?passphrase=${secret()} HTTP/1.1`);
      await send(`DELETE /p/${urlToken}.json?passphrase=${passphrase} HTTP/1.1`);
    }
    await server.stop('SIGTERM');

    expect(statuses).toEqual(
      [...Array<number[]>(2)].flatMap(() => [201, 201, 401, 422, 400, 422, 400, 404, 400, 404, 400]),
    );
    expect(server.output()).toContain('"route":"/p.json"');
    expect(server.output()).toContain('"route":"/api/v2/pushes"');
    expect(secrets.filter((text) => server.output().includes(text))).toEqual([]);
    expect(server.output()).not.toMatch(/%5B|\[payload\]|passphrase=|access_token/);
  });
});
