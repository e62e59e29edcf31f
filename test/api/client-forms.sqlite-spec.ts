import { API_VERSIONS } from '../support/api-versions.js';
import { CLIENT_FORMS, disposition, field, form } from '../support/client-forms.js';
import { forAllTests } from '../support/for-tests.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';

const SECRET = 'tülip & rose + 50% = 郁金香';
const ENCODED = 't%C3%BClip+%26+rose+%2B+50%25+%3D+%E9%83%81%E9%87%91%E9%A6%99';

interface Form {
  sentBy: string;
  /** The query of the request. */
  query?: (key: string) => string;
  headers?: string[];
  body?: (key: string) => string;
  /** Sends no Content-Length when there is no body. */
  silentLength?: boolean;
}

const literal = (key: string) =>
  `${key}[payload]=${ENCODED}&${key}[expire_after_days]=3&${key}[expire_after_views]=4&${key}[deletable_by_viewer]=on`;
const encoded = (key: string) => literal(key).replaceAll('[', '%5B').replaceAll(']', '%5D');
const json = (key: string) =>
  JSON.stringify({
    [key]: {
      payload: SECRET,
      expire_after_days: '3',
      expire_after_views: '4',
      deletable_by_viewer: 'true',
      retrieval_step: 'false',
    },
  });
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const JSON_TYPE = 'Content-Type: application/json';

const FORMS: Form[] = [
  {
    sentBy: 'the command-line client, with numbers and booleans as text',
    headers: ['User-Agent: pwpush-cli/1.0', 'Accept-Encoding: gzip, deflate', 'Accept: */*', JSON_TYPE],
    body: json,
  },
  {
    sentBy: 'PowerShell, with real numbers and booleans over several lines',
    headers: ['Content-Type: application/json; charset=utf-8'],
    body: (key) =>
      `{\r\n  "${key}": {\r\n    "deletable_by_viewer": true,\r\n    "retrieval_step": false,\r\n    "expire_after_days": 3,\r\n` +
      `    "expire_after_views": 4,\r\n    "payload": ${JSON.stringify(SECRET)}\r\n  }\r\n}\r\n`,
  },
  {
    sentBy: 'a script that escapes all but ASCII',
    headers: ['CONTENT-TYPE: APPLICATION/JSON;CHARSET="UTF-8"'],
    body: (key) =>
      json(key).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  },
  {
    sentBy: 'an extension that names an account and a duration too',
    headers: [JSON_TYPE],
    body: (key) =>
      json(key).replace(/}}$/, ',"expire_after_duration":17,"account_id":1,"name":null},"account_id":"1"}'),
  },
  { sentBy: 'curl --data, with brackets as they are', headers: [FORM], body: literal },
  { sentBy: 'a form library, with encoded brackets', headers: [`${FORM}; charset=UTF-8`], body: encoded },
  { sentBy: 'a bare script without a Content-Type', body: literal },
  { sentBy: 'a bare script without a Content-Type, encoded', body: encoded },
  { sentBy: 'a script with an empty Content-Type', headers: ['Content-Type:'], body: literal },
  { sentBy: 'a script that puts all in the query, without a body', query: encoded, silentLength: true },
  { sentBy: 'a script that puts all in the query, with an empty body', query: literal },
  { sentBy: 'a script that puts all in the query and says form', query: literal, headers: [FORM] },
  { sentBy: 'a script that puts all in the query and says JSON', query: literal, headers: [JSON_TYPE] },
  {
    sentBy: 'a script that puts all in the query, and null in the body',
    query: encoded,
    headers: [JSON_TYPE],
    body: () => 'null',
  },
  {
    sentBy: 'a script that puts the terms in the query and the secret in the body',
    query: (key) => `${key}[expire_after_days]=3&${key}[expire_after_views]=4&${key}[deletable_by_viewer]=1`,
    headers: [JSON_TYPE],
    body: (key) => JSON.stringify({ [key]: { payload: SECRET } }),
  },
  {
    sentBy: 'a browser, which wants HTML',
    headers: [
      'Accept: text/html,application/xhtml+xml',
      'accept-language: de',
      'Origin: https://elsewhere.example',
      FORM,
    ],
    body: encoded,
  },
  {
    sentBy: 'a client with odd ideas of case',
    headers: ['aCCEPT: TEXT/HTML', 'content-TYPE: Application/X-WWW-Form-Urlencoded'],
    body: literal,
  },
];

const running = forAllTests(startApp);
const owner = forAllTests(() => running.newUser());

describe.each(API_VERSIONS)('A request to create over $version', ({ path, key, tokenPath }) => {
  const send = (head: string[], body?: string) =>
    sendBytes(running.url, requestBytes([head[0] ?? '', 'Host: push.example.org', ...head.slice(1)], body));

  it.each(FORMS)('is accepted as sent by $sentBy', async ({ query, headers = [], body, silentLength }) => {
    const text = body?.(key) ?? '';
    const length = silentLength ? [] : [`Content-Length: ${Buffer.byteLength(text)}`];
    const target = query ? `${path}?${query(key)}` : path;

    const [created] = await send([`POST ${target} HTTP/1.1`, ...headers, ...length], text);
    expect(created).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: {
        kind: 'text',
        expire_after_days: 3,
        expire_after_views: 4,
        deletable_by_viewer: true,
        retrieval_step: false,
      },
    });
    const [read] = await send([`GET ${tokenPath.replace(':token', created?.body.url_token)} HTTP/1.1`]);
    expect(read).toMatchObject({ status: 200, body: { payload: SECRET, views_remaining: 3 } });
  });

  it.each([
    ['a JSON string', JSON_TYPE, '"tulip"'],
    ['null', JSON_TYPE, 'null'],
    ['nothing', JSON_TYPE, ''],
    ['a field of the same name', FORM, `${key}=tulip`],
    ['an unsupported encoding', 'Content-Type: text/plain', `${key}[payload]=tulip`],
    ['truncated JSON', JSON_TYPE, '{"broken'],
  ])('is rejected with %s as its body', async (_name, type, body) => {
    const [answer] = await send(
      [`POST ${path} HTTP/1.1`, type, `Content-Length: ${Buffer.byteLength(body)}`],
      body,
    );

    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) as string } });
  });

  it('is rejected when its query cannot be decoded, instead of silently changing the secret', async () => {
    const [answer] = await send([`POST ${path}?${key}[payload]=caf%E9 HTTP/1.1`, 'Content-Length: 0']);

    expect(answer).toMatchObject({ status: 400, body: { error: 'The address is not well-formed.' } });
  });

  it('uses every field of its query, however many there are', async () => {
    const filler = 'x&'.repeat(1500);
    const [answer] = await send([
      `POST ${path}?${filler}${key}[payload]=tulip&${key}[expire_after_views]=1 HTTP/1.1`,
      'Content-Length: 0',
    ]);

    expect(answer).toMatchObject({ status: 201, body: { expire_after_views: 1 } });
  });

  it('uses its body when the query differs', async () => {
    const body = `${key}[payload]=tulip&${key}[expire_after_views]=2`;
    const [answer] = await send(
      [`POST ${path}?${key}[expire_after_views]=9 HTTP/1.1`, FORM, `Content-Length: ${body.length}`],
      body,
    );

    expect(answer).toMatchObject({ status: 201, body: { expire_after_views: 2 } });
  });

  it.each(['GET', 'DELETE'])(
    'can be followed by a %s with a JSON body of null or nothing',
    async (method) => {
      for (const body of ['null', '']) {
        const { url_token: urlToken } = await owner.client.push({
          payload: 'tulip',
          deletable_by_viewer: true,
        });
        const [answer] = await send(
          [
            `${method} ${tokenPath.replace(':token', urlToken)} HTTP/1.1`,
            JSON_TYPE,
            `Content-Length: ${body.length}`,
          ],
          body,
        );

        expect(answer).toMatchObject({
          status: 200,
          body: { url_token: urlToken, deleted: method === 'DELETE' },
        });
      }
    },
  );
});

describe.each(API_VERSIONS)('A multipart form to create over $version', ({ path, key }) => {
  const send = (boundary: string, body: Buffer) =>
    sendBytes(
      running.url,
      requestBytes(
        [
          `POST ${path} HTTP/1.1`,
          'Host: push.example.org',
          `Authorization: Bearer ${owner.token}`,
          `Content-Type: multipart/form-data; boundary=${boundary}`,
          `Content-Length: ${body.length}`,
        ],
        body,
      ),
    );

  it.each(CLIENT_FORMS)('is accepted as sent by $sentBy', async ({ boundary, parts, expected, files }) => {
    const sent = parts(key);
    const [created] = await send(boundary, form(boundary.replaceAll('"', ''), sent));
    expect(created).toMatchObject({ status: 201, body: expected });

    const { body: read } = await owner.client.retrieve(created?.body.url_token);
    const returned = read.files.map((file: { filename: string; content_type: string }) => [
      file.filename,
      file.content_type,
    ]);
    expect(returned).toEqual(files);
    expect(read.payload).toBe(sent.find(({ head }) => head.join().includes('[payload]'))?.content);

    const contents = sent
      .filter(({ head }) => /filename=\W*\w/i.test(head.join()))
      .map(({ content }) => content);
    for (const [index, { url }] of read.files.entries()) {
      const { pathname } = new URL(url as string);
      const bytes = await (await fetch(running.url + pathname)).arrayBuffer();
      expect(Buffer.from(bytes)).toEqual(Buffer.from(contents[index] ?? 'missing'));
    }
  });

  it.each([
    ['whose name cannot be read', disposition(`name=${key}[passphrase]`)],
    ['that has no name at all', 'X-Nothing: 1'],
    ['that is not form-data', `Content-Disposition: attachment; name="${key}[passphrase]"`],
    ['with an unreadable file name', disposition(`name="${key}[files][]"; filename=my report.pdf`)],
    [
      'that is a file without a name',
      `${disposition(`name="${key}[files][]"`)}\r\nContent-Type: application/octet-stream`,
    ],
  ])('is rejected with a part %s, instead of ignoring the part', async (_name, head) => {
    const body = form('b', [field(`${key}[payload]`, 'tulip'), { head: [head], content: 'rose' }]);
    const [answer] = await send('b', body);

    expect(answer).toMatchObject({ status: 400, body: { error: 'The body is not well-formed.' } });
  });

  it.each([
    ['no boundary', '', 'b'],
    ['another boundary', 'other', 'b'],
  ])('is rejected with %s', async (_name, declared, used) => {
    const [answer] = await send(declared, form(used, [field(`${key}[payload]`, 'tulip')]));

    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) as string } });
  });
});
