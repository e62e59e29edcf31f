import { forAllTests, forEachTest } from '../../../test/support/for-tests.js';
import type { SocketResponse } from '../../../test/support/plain-socket.js';
import { requestBytes, sendBytes } from '../../../test/support/plain-socket.js';
import { startApp } from '../../../test/support/start-app.js';

const running = forAllTests(startApp);

describe.each(['/en', '/pt-BR', '//de/'])('The legacy API with the locale prefix %s', (locale) => {
  const owner = forEachTest(() => running.newUser());

  /** As Windows PowerShell sends it. */
  const send = async (
    method: string,
    path: string,
    body = '',
    more: string[] = [],
  ): Promise<SocketResponse> => {
    const head = [
      `${method} ${locale}${path} HTTP/1.1`,
      ...more,
      `X-User-Email: ${owner.email}`,
      `X-User-Token: ${owner.token}`,
      'User-Agent: Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.4391',
      'Host: push.example.org',
      ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`, 'Expect: 100-continue']),
    ];
    const [answer] = await sendBytes(running.url, requestBytes(head, body));
    if (!answer) throw new Error('no answer');
    return answer;
  };

  it.each([
    ['/p.json', 'application/json', '{"password":{"payload":"tülip","expire_after_views":3}}', 'tülip'],
    [
      '/p.json',
      'application/x-www-form-urlencoded',
      'password%5Bpayload%5D=t%C3%BClip&password%5Bexpire_after_views%5D=3',
      'tülip',
    ],
    [
      '/r.json',
      'application/json',
      '{"url":{"payload":"https://a.example/","expire_after_views":3}}',
      'https://a.example/',
    ],
  ])('creates a push at %s from %s', async (path, type, body, payload) => {
    const created = await send('POST', path, body, [`Content-Type: ${type}`]);

    expect(created).toMatchObject({ status: 201, body: { expire_after_views: 3, views_remaining: 3 } });
    expect(created.body.html_url).toBe(`http://push.example.org/p/${created.body.url_token}`);
    expect((await send('GET', `/p/${created.body.url_token}.json`)).body).toMatchObject({
      payload,
      views_remaining: 2,
    });
  });

  it.each(['p', 'f', 'r'])('supports all operations on pushes under /%s', async (prefix) => {
    const { url_token } = await owner.client.push({ payload: 'tulip', passphrase: 'a b' });
    const path = `/${prefix}/${url_token}`;
    const answers = [
      await send('GET', `/${prefix}/active.json`),
      await send('GET', `${path}.json`),
      await send('GET', `${path}.json?passphrase=a%20b`),
      await send('GET', `${path}/preview.json`),
      await send('GET', `${path}/audit.json?page=1`),
      await send('DELETE', `${path}.json`),
      await send('GET', `/${prefix}/expired.json`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 200, 200, 200, 200]);
    expect(answers[0]?.headers.link).toContain(`<http://push.example.org/${prefix}/active.json?page=1>`);
    expect(answers[2]?.body.payload).toBe('tulip');
    expect(answers[3]?.body).toEqual({ url: `http://push.example.org/p/${url_token}` });
    expect(answers[4]?.body.views).toHaveLength(2);
    expect(answers[6]?.body).toMatchObject([{ url_token, deleted: true }]);
  });

  it('returns the version, and the same errors as without a locale', async () => {
    expect((await send('GET', '/api/v1/version.json')).body.api_version).toBe('1.5');
    expect(await send('GET', '/p/unknown.json')).toMatchObject({
      status: 404,
      body: { error: 'not-found' },
    });
    expect(await send('POST', '/p.json', '{', ['Content-Type: application/json'])).toMatchObject({
      status: 400,
    });
  });
});

describe('A locale prefix of another path', () => {
  it.each(['/EN/p.json', '/eng/p.json', '/en_US/p.json', '/en/en/p.json', '/en/api/v2/pushes'])(
    'is not part of the API: %s',
    async (path) => {
      const { status } = await running.anonymous.post(path, { password: { payload: 'tulip' } });

      expect(status).toBe(404);
    },
  );

  it('does not work with version 2', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });

    expect((await running.anonymous.get(`/en/api/v2/pushes/${url_token}`)).status).toBe(404);
    expect((await running.anonymous.get('/en/up')).status).toBe(404);
    expect((await running.anonymous.retrieve(url_token)).body.views_remaining).toBe(4);
  });
});
