import { CLIENT_FORMS, disposition, field, form } from '../support/client-forms.js';
import { forAllTests } from '../support/for-tests.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';

const API_VERSIONS = [
  { version: 'POST /p.json', path: '/p.json', key: 'password' },
  { version: 'POST /api/v2/pushes', path: '/api/v2/pushes', key: 'push' },
];

const running = forAllTests(startApp);
const owner = forAllTests(() => running.newUser());

describe.each(API_VERSIONS)('A multipart form to $version', ({ path, key }) => {
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
