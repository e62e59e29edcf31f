import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { forAllTests } from '../support/for-tests.js';
import { multipart, MULTIPART, part } from '../support/multipart.js';
import { connectTo, requestBytes } from '../support/plain-socket.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';
import { MIB } from '../../src/platform/settings/units.js';

const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';
const FORM_DATA = 'Content-Type: multipart/form-data; boundary=b';
const TWO_GB = 'Content-Length: 2000000000';

const COMPRESSED = { error: 'The body must not be compressed.' };
const CHARSET = { error: 'The charset must be UTF-8.' };
const TOO_LARGE = { error: 'The body is too large. Files may be larger when sent as multipart.' };

describe('A body that is not read', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  /** Sends the beginning of a request only; returns the response when the server has closed the connection. */
  const answerTo = async (requestLine: string, headers: string[], begun = '') => {
    const socket = connectTo(running.url);
    await once(socket, 'connect');
    socket.write(requestBytes([`${requestLine} HTTP/1.1`, 'Host: push.example.org', ...headers], begun));
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return {
      status: Number(head.split(' ')[1]),
      isLast: /^connection: close$/im.test(head),
      body: /^content-type: application\/json/im.test(head) ? JSON.parse(body) : body,
    };
  };
  const answerToPush = (headers: string[], begun?: string) => answerTo('POST /api/v2/pushes', headers, begun);

  describe.each([
    ['JSON', JSON_TYPE],
    ['an urlencoded form', FORM_TYPE],
    ['nothing', 'X-Type: none'],
    ['a multipart form', FORM_DATA],
  ])('and is declared as %s', (_name, type) => {
    it.each(['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'gzip, identity', 'nonsense'])(
      'is rejected with the content encoding %s (L2)',
      async (encoding) => {
        const answer = await answerToPush([type, `Content-Encoding: ${encoding}`, 'Content-Length: 1000']);

        expect(answer).toEqual({ status: 415, isLast: true, body: COMPRESSED });
      },
    );
  });

  it.each([
    `${JSON_TYPE}; charset=utf-16le`,
    `${JSON_TYPE};charset="UTF-7"`,
    `${JSON_TYPE}; a=b ; CHARSET=latin1`,
    `${FORM_TYPE}; charset=iso-8859-1`,
    `${FORM_TYPE}; charset=utf-7`,
    `${FORM_DATA}; charset=shift_jis`,
    `${FORM_TYPE}; charset=constructor`,
  ])('is rejected with another charset: %s (L5)', async (type) => {
    expect(await answerToPush([type, 'Content-Length: 1000'])).toEqual({
      status: 415,
      isLast: true,
      body: CHARSET,
    });
  });

  it('is rejected if its type is unknown', async () => {
    const answer = await answerToPush(['Content-Type: text/plain', 'Content-Length: 1000']);

    expect(answer).toMatchObject({ status: 400, isLast: true });
  });

  it.each([
    ['JSON', JSON_TYPE],
    ['an urlencoded form', FORM_TYPE],
  ])('is rejected immediately if it is %s and declares one byte too many (L18)', async (_name, type) => {
    for (const length of [`Content-Length: ${13 * MIB + 1}`, TWO_GB]) {
      expect(await answerToPush([type, length], 'push')).toEqual({
        status: 413,
        isLast: true,
        body: TOO_LARGE,
      });
    }
  });

  it('is rejected immediately if it declares one byte more than the limit with a token (L18)', async () => {
    const token = `Authorization: Bearer ${owner.token}`;

    expect(await answerToPush([JSON_TYPE, token, `Content-Length: ${34 * MIB + 1}`])).toEqual({
      status: 413,
      isLast: true,
      body: TOO_LARGE,
    });
    expect(await answerToPush([FORM_TYPE, token, `Content-Length: ${13 * MIB + 1}`])).toMatchObject({
      status: 413,
      isLast: true,
    });
    expect(await answerToPush([FORM_DATA, token, TWO_GB])).toEqual({
      status: 422,
      isLast: true,
      body: { files: ['must have at most 262144000 bytes in all'] },
    });
  });

  it('is rejected immediately if the caller may not attach files (L18)', async () => {
    expect(await answerToPush([FORM_DATA, TWO_GB])).toMatchObject({ status: 401, isLast: true });
  });

  it('is rejected as soon as it is too long if it is chunked (L18)', async () => {
    const chunk = `${MIB.toString(16)}\r\n${' '.repeat(MIB)}\r\n`;
    const answer = await answerToPush([JSON_TYPE, 'Transfer-Encoding: chunked'], chunk.repeat(14));

    expect(answer).toEqual({ status: 413, isLast: true, body: TOO_LARGE });
  });

  it.each([
    ['JSON', 'POST /api/v2/pushes', [JSON_TYPE]],
    ['a multipart form', 'POST /api/v2/pushes', [FORM_DATA]],
  ])('is rejected if it comes in thousands of chunks of a byte, as %s (L6)', async (_name, line, headers) => {
    const answer = await answerTo(
      line,
      [...headers, 'Transfer-Encoding: chunked'],
      '1\r\na\r\n'.repeat(5000),
    );

    expect(answer).toEqual({
      status: 400,
      isLast: true,
      body: { error: 'The request cannot be read: Bad Request.' },
    });
  });

  it.each([
    ['many chunks of sixteen bytes', 16, 20_000],
    ['a thousand chunks of a byte', 1, 900],
  ])('is read if it comes in %s', async (_name, size, length) => {
    const push = JSON.stringify({ push: { payload: 'a'.repeat(length) } });
    const chunks = push.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
    const headers = [JSON_TYPE, 'Transfer-Encoding: chunked', 'Connection: close'];

    expect(await answerToPush(headers, `${body}0\r\n\r\n`)).toMatchObject({ status: 201, isLast: true });
  });

  it('is rejected as soon as its JSON is too deep or has too many values, before it ends (L2)', async () => {
    const headers = [JSON_TYPE, 'Content-Length: 10000000'];

    expect(await answerToPush(headers, '['.repeat(40))).toEqual({
      status: 400,
      isLast: true,
      body: { error: 'The JSON must not be nested more than 32 levels deep.' },
    });
    expect(await answerToPush(headers, `[${'{},'.repeat(10_001)}`)).toEqual({
      status: 400,
      isLast: true,
      body: { error: 'The JSON must not have more than 10000 values.' },
    });
  });

  it('is rejected as soon as its JSON has a too long name, before it ends (M1)', async () => {
    const headers = [JSON_TYPE, 'Content-Length: 10000000'];

    expect(await answerToPush(headers, `{"push":{"${'\\u0061'.repeat(171)}":`)).toEqual({
      status: 400,
      isLast: true,
      body: { error: 'A name in the JSON must not have more than 1024 bytes.' },
    });
  });

  it.each([
    ['a route that accepts none', 'GET /api/v2/version', 200],
    ['an unknown path', 'POST /api/v2/accounts', 404],
    ['a page', 'GET /users/sign_in', 200],
    ['a missing push', 'DELETE /api/v2/pushes/abc', 404],
  ])('closes the connection if it is long and sent to %s (L18)', async (_name, requestLine, status) => {
    for (const length of [TWO_GB, 'Transfer-Encoding: chunked']) {
      expect(await answerTo(requestLine, [JSON_TYPE, length])).toMatchObject({ status, isLast: true });
    }
  });

  it('closes the connection if its token is wrong (L18)', async () => {
    const answer = await answerToPush([JSON_TYPE, TWO_GB, 'Authorization: Bearer wrong']);

    expect(answer).toMatchObject({ status: 401, isLast: true });
  });

  it.each(['/users/sign_in', '/users/sign_up'])('is rejected on the page %s too (L18)', async (path) => {
    const post = (...headers: string[]) =>
      answerTo(`POST ${path}`, ['Sec-Fetch-Site: same-origin', FORM_TYPE, ...headers]);

    expect(await post('Content-Length: 65537')).toMatchObject({ status: 413, isLast: true });
    expect(await post('Content-Length: 9', 'Content-Encoding: gzip')).toMatchObject({
      status: 415,
      isLast: true,
    });
  });
});

describe('A body that is read to its end', () => {
  const running = forAllTests(() => startApp({ FILES_REQUIRE_AUTHENTICATION: 'false' }));
  const post = (headers: Record<string, string>, body: string | Buffer) =>
    sendRaw(running.url, { method: 'POST', path: '/api/v2/pushes', headers, body });
  const json = (body: string) => post({ 'Content-Type': 'application/json' }, body);

  const gzip = gzipSync('{"push":{"payload":"tulip"}}');
  it.each([
    ['it is in gzip', 415, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, gzip],
    ['it is in UTF-16', 415, { 'Content-Type': 'application/json; charset=utf-16' }, '{}'],
    ['it is of an unknown type', 400, { 'Content-Type': 'text/plain' }, 'tulip'],
    ['it is malformed', 400, { 'Content-Type': 'application/json' }, '{'],
    ['it is nested too deep', 400, { 'Content-Type': 'application/json' }, '['.repeat(50)],
    ['its form is malformed', 400, { 'Content-Type': 'application/x-www-form-urlencoded' }, 'a=%'],
    ['it is a multipart form in UTF-7', 415, { 'Content-Type': 'multipart/form-data; charset=utf-7' }, 'a'],
  ])('leaves the connection open if it is rejected because %s (L2)', async (_name, status, headers, body) => {
    const answer = await post({ ...headers, Connection: 'keep-alive' }, body);

    expect(answer.status).toBe(status);
    expect(answer.headers.connection).toBe('keep-alive');
  });

  it('can have JSON with at most 32 levels and 10,000 values (L2)', async () => {
    const push = '"push":{"payload":"tulip"}'; // three values with the outermost object
    const deep = (levels: number) => `{${push},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const large = (values: number) => `{${push},"x":[${Array(values).fill('1').join(',')}]}`;

    expect((await json(deep(31))).status).toBe(201);
    expect((await json(deep(32))).status).toBe(400);
    expect((await json(large(10_000 - 4))).status).toBe(201);
    expect((await json(large(10_000 - 3))).status).toBe(400);
  });

  it.each(['/api/v2/pushes', '/p.json'])(
    'can have JSON with names of at most 1 KiB and 128 KiB in all, sent to %s (M1)',
    async (path) => {
      const names = (count: number, length: number) =>
        Array.from(
          { length: count },
          (_, i) => `"${String(i).padStart(length, 'a')}":"${'a'.repeat(17_000)}"`,
        );
      const create = async (unknown: string[]) => {
        const push = `{"payload":"tulip",${unknown.join(',')}}`;
        const body = `{"push":${push},"password":{"payload":"tulip"}}`; // 27 bytes of names
        return sendRaw(running.url, {
          method: 'POST',
          path,
          headers: { 'Content-Type': 'application/json' },
          body,
        });
      };

      expect((await create(names(127, 1024))).status).toBe(201);
      expect(await create(names(1, 1025))).toMatchObject({
        status: 400,
        body: { error: 'A name in the JSON must not have more than 1024 bytes.' },
      });
      expect(await create(names(128, 1024))).toMatchObject({
        status: 400,
        body: { error: 'The names in the JSON must not have more than 131072 bytes in total.' },
      });
    },
  );

  it('can begin with a byte order mark', async () => {
    expect((await json('\ufeff{"push":{"payload":"tulip"}}')).status).toBe(201);
  });

  it('can have U+FFFD in a field next to a file', async () => {
    const payload = 'tulip \ufffd';
    const { status, body } = await post(
      MULTIPART,
      multipart(part('push[payload]', payload), part('push[files][]', '\xff', '; filename="a"')),
    );

    expect(status).toBe(201);
    expect((await running.anonymous.retrieve(body.url_token)).body.payload).toBe(payload);
  });

  it('is rejected if a field next to a file is not UTF-8', async () => {
    const broken = part('push[payload]', Buffer.from('tulip\xff', 'latin1'));
    const file = part('push[files][]', '\ufffd', '; filename="a"');

    expect((await post(MULTIPART, multipart(broken, file))).status).toBe(400);
    expect((await post(MULTIPART, multipart(file, broken))).status).toBe(400);
  });

  it('is rejected if a field of a multipart form has another charset (L5)', async () => {
    const field = part('push[payload]', '\u00e9', '\r\nContent-Type: text/plain; charset=iso-8859-1');

    expect(await post(MULTIPART, multipart(field))).toMatchObject({ status: 415, body: CHARSET });
  });

  it('can have only a few files that are not part of the push', async () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) => part(`other${index}`, 'x', '; filename="a"'));
    const send = (count: number) =>
      post(MULTIPART, multipart(part('push[payload]', 'tulip'), ...others(count)));

    expect((await send(10)).status).toBe(201);
    expect((await send(100)).status).toBe(413);
  });
});
