import { requestBytes, sendBytes } from './support/plain-socket.js';
import type { RunningApp, TestUser } from './support/start-app.js';
import { startApp } from './support/start-app.js';

const FACES = [
  { face: 'POST /p.json', path: '/p.json', key: 'password' },
  { face: 'POST /api/v2/pushes', path: '/api/v2/pushes', key: 'push' },
];
const BINARY = Buffer.from([0, 255, 13, 10, 45, 45, 98, 13, 10, 0xc3, 0x28]);

interface Part {
  head: string[];
  content: string | Buffer;
}

const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`;
const field = (name: string, content: string): Part => ({ head: [disposition(`name="${name}"`)], content });

/** The bytes of a form of these parts. */
function form(boundary: string, parts: Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${boundary}\r\n${head.join('\r\n')}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

interface Row {
  sentBy: string;
  boundary: string;
  parts: (key: string) => Part[];
  expected: object;
  /** Name and type as they come out. */
  files: [string, string][];
}

const ROWS: Row[] = [
  {
    sentBy: '.NET: a quoted boundary, a type on each field, the headers of a part in reverse order',
    boundary: '"8b5ff4c0-6a2f-4b5e-9d3a-0d4f6a9b1c2d"',
    parts: (key) => [
      {
        head: ['Content-Type: text/plain; charset=utf-8', disposition(`name="${key}[payload]"`)],
        content: 'tülip',
      },
      {
        head: ['Content-Type: text/plain; charset=utf-8', disposition(`name="${key}[expire_after_views]"`)],
        content: '3',
      },
      {
        head: [
          'Content-Type: application/pdf',
          disposition(`name="${key}[files][]"; filename=report.pdf; filename*=utf-8''report.pdf`),
        ],
        content: BINARY,
      },
    ],
    expected: { kind: 'file', expire_after_views: 3 },
    files: [['report.pdf', 'application/pdf']],
  },
  {
    sentBy: '.NET with a name that is not ASCII, once in MIME words and once for us',
    boundary: '"bound ary"',
    parts: (key) => [
      field(`${key}[payload]`, 'tülip'),
      {
        head: [
          disposition(
            `name="${key}[files][]"; filename="=?utf-8?B?w6nDqS50eHQ=?="; filename*=utf-8''%C3%A9%C3%A9.txt`,
          ),
        ],
        content: BINARY,
      },
    ],
    expected: { kind: 'file' },
    files: [['éé.txt', 'application/octet-stream']],
  },
  {
    sentBy: 'the command-line client: no type on a file, an empty payload',
    boundary: '1f3e0b7c2d9a4f6e8b1c5d7a9e3f2b4c',
    parts: (key) => [
      field(`${key}[payload]`, ''),
      field(`${key}[kind]`, 'file'),
      { head: [disposition(`name="${key}[files][]"; filename="notes.txt"`)], content: BINARY },
    ],
    expected: { kind: 'file' },
    files: [['notes.txt', 'application/octet-stream']],
  },
  {
    sentBy: 'Terraform: all kinds of text fields before the files, kind text kept',
    boundary: 'c0ffee'.repeat(10),
    parts: (key) => [
      field(`${key}[payload]`, 'tülip'),
      field(`${key}[kind]`, 'text'),
      field(`${key}[deletable_by_viewer]`, 'true'),
      field(`${key}[account_id]`, '12'),
      {
        head: [
          disposition(`name="${key}[files][]"; filename="a.tf"`),
          'Content-Type: application/octet-stream',
        ],
        content: BINARY,
      },
      {
        head: [disposition(`name="${key}[files][]"; filename="b.tf"`), 'Content-Type: text/x-hcl'],
        content: '',
      },
    ],
    expected: { kind: 'text', deletable_by_viewer: true },
    files: [
      ['a.tf', 'application/octet-stream'],
      ['b.tf', 'text/x-hcl'],
    ],
  },
  {
    sentBy: 'curl: names in UTF-8, a type with a parameter, the file first',
    boundary: '------------------------d74496d66958873e',
    parts: (key) => [
      {
        head: [
          disposition(`name="${key}[files][]"; filename="Übersicht 1.txt"`),
          'Content-Type: text/plain; charset=iso-8859-1',
        ],
        content: BINARY,
      },
      field(`${key}[payload]`, 'tülip'),
    ],
    expected: { kind: 'file' },
    files: [['Übersicht 1.txt', 'text/plain; charset=iso-8859-1']],
  },
  {
    sentBy: 'a browser with nothing chosen in its input for files',
    boundary: '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    parts: (key) => [
      field(`${key}[payload]`, 'tülip'),
      {
        head: [disposition(`name="${key}[files][]"; filename=""`), 'Content-Type: application/octet-stream'],
        content: '',
      },
    ],
    expected: { kind: 'text' },
    files: [],
  },
  {
    sentBy: 'a script with odd ideas of case and space',
    boundary: 'boundary',
    parts: (key) => [
      { head: [`content-disposition:form-data;name="${key}[payload]"`], content: 'tülip' },
      {
        head: [
          'CONTENT-TYPE:   image/png',
          `CONTENT-DISPOSITION:  form-data;  filename=x.png;  name="${key}[files][0]"`,
        ],
        content: BINARY,
      },
    ],
    expected: { kind: 'file' },
    files: [['x.png', 'image/png']],
  },
];

describe.each(FACES)('A multipart form to $face', ({ path, key }) => {
  let running: RunningApp;
  let owner: TestUser;
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

  beforeAll(async () => {
    running = await startApp();
    owner = await running.newUser();
  });
  afterAll(() => running.stop());

  it.each(ROWS)('is taken as it comes from $sentBy', async ({ boundary, parts, expected, files }) => {
    const sent = parts(key);
    const [made] = await send(boundary, form(boundary.replaceAll('"', ''), sent));
    expect(made).toMatchObject({ status: 201, body: expected });

    const { body: read } = await owner.client.retrieve(made?.body.url_token);
    const told = read.files.map((file: { filename: string; content_type: string }) => [
      file.filename,
      file.content_type,
    ]);
    expect(told).toEqual(files);
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
    ['that is not of a form', `Content-Disposition: attachment; name="${key}[passphrase]"`],
    ['with an unreadable file name', disposition(`name="${key}[files][]"; filename=my report.pdf`)],
    [
      'that is a file without a name',
      `${disposition(`name="${key}[files][]"`)}\r\nContent-Type: application/octet-stream`,
    ],
  ])('is refused with a part %s, rather than made without it', async (_name, head) => {
    const body = form('b', [field(`${key}[payload]`, 'tulip'), { head: [head], content: 'rose' }]);
    const [answer] = await send('b', body);

    expect(answer).toMatchObject({ status: 400, body: { error: 'The body is not well-formed.' } });
  });

  it.each([
    ['no boundary', '', 'b'],
    ['another boundary', 'other', 'b'],
  ])('is refused with %s', async (_name, told, used) => {
    const [answer] = await send(told, form(used, [field(`${key}[payload]`, 'tulip')]));

    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) as string } });
  });
});
