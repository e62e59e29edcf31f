import { API_VERSIONS } from '../support/api-versions.js';
import { forAllTests } from '../support/for-tests.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';

const HOST = 'Host: push.example.org';
const JSON_TYPE = 'Content-Type: application/json';

const running = forAllTests(startApp);

describe.each(API_VERSIONS)('A connection to $version', ({ path, key, versionPath }) => {
  const json = JSON.stringify({ [key]: { payload: 'tülip' } });
  const length = `Content-Length: ${Buffer.byteLength(json)}`;
  const payloadOf = async (urlToken: string) => (await running.anonymous.retrieve(urlToken)).body.payload;

  it.each([
    ['JSON', JSON_TYPE, json],
    ['a form', 'Content-Type: application/x-www-form-urlencoded', `${key}[payload]=t%C3%BClip`],
    ['a form without a Content-Type', 'X-Nothing: 1', `${key}%5Bpayload%5D=t%C3%BClip`],
    [
      'multipart',
      'Content-Type: multipart/form-data; boundary=b',
      `--b\r\nContent-Disposition: form-data; name="${key}[payload]"\r\n\r\ntülip\r\n--b--\r\n`,
    ],
  ])('accepts %s in chunks that split characters', async (_name, type, body) => {
    const chunks = Array.from(Buffer.from(body), (byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
    const [answer] = await sendBytes(
      running.url,
      requestBytes(
        [`POST ${path} HTTP/1.1`, HOST, type, 'Transfer-Encoding: chunked'],
        Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]),
      ),
    );

    expect(answer?.status).toBe(201);
    expect(await payloadOf(answer?.body.url_token)).toBe('tülip');
  });

  it('sends 100 Continue to a client that waits for it', async () => {
    const [answer] = await sendBytes(
      running.url,
      requestBytes([`POST ${path} HTTP/1.1`, HOST, JSON_TYPE, length, 'Expect: 100-continue'], json),
    );

    expect(answer).toMatchObject({ status: 201, wasInvited: true });
  });

  it('supports HTTP/1.0', async () => {
    const [answer] = await sendBytes(
      running.url,
      requestBytes([`POST ${path} HTTP/1.0`, HOST, JSON_TYPE, length], json),
    );

    expect(answer?.status).toBe(201);
    expect(answer?.headers.connection).toBe('close');
    expect(await payloadOf(answer?.body.url_token)).toBe('tülip');
  });

  it('without a Host header, in HTTP/1.0, can read the version but not create a push', async () => {
    const [version1] = await sendBytes(running.url, requestBytes([`GET ${versionPath} HTTP/1.0`]));
    const [refused] = await sendBytes(
      running.url,
      requestBytes([`POST ${path} HTTP/1.0`, JSON_TYPE, length], json),
    );

    expect(version1).toMatchObject({ status: 200, body: { edition: 'oss' } });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'The Host header is not well-formed.' },
    });
  });

  it('responds to pipelined requests in their order', async () => {
    const create = requestBytes([`POST ${path} HTTP/1.1`, HOST, JSON_TYPE, length], json);
    const readVersion = requestBytes([`GET ${versionPath} HTTP/1.1`, HOST]);
    const refuse = requestBytes([`POST ${path} HTTP/1.1`, HOST, JSON_TYPE, 'Content-Length: 4'], 'null');
    const unknown = requestBytes(
      [`GET ${path}/unknown.json HTTP/1.1`, HOST, JSON_TYPE, 'Content-Length: 4'],
      'null',
    );
    const answers = await sendBytes(
      running.url,
      Buffer.concat([create, readVersion, refuse, unknown, readVersion, create]),
      6,
    );

    expect(answers.map(({ status }) => status)).toEqual([201, 200, 400, 404, 200, 201]);
    expect(new Set([answers[0]?.body.url_token, answers[5]?.body.url_token]).size).toBe(2);
  });

  it('reads header names in any case', async () => {
    const { token, client } = await running.newUser();
    const [answer] = await sendBytes(
      running.url,
      requestBytes(
        [
          `POST ${path} HTTP/1.1`,
          'hOST: push.example.org',
          'AUTHORIZATION: bEARER ' + token,
          'content-TYPE: application/JSON',
          length.toUpperCase(),
        ],
        json,
      ),
    );

    expect(answer?.status).toBe(201);
    expect((await client.get('/api/v2/pushes/active')).body).toMatchObject([
      { url_token: answer?.body.url_token },
    ]);
  });
});
