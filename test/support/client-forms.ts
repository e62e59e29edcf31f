import type { SocketResponse } from './plain-socket.js';
import { requestBytes, sendBytes } from './plain-socket.js';

/** Bytes that are not text and contain what looks like a boundary. */
const BINARY = Buffer.from([0, 255, 13, 10, 45, 45, 98, 13, 10, 0xc3, 0x28]);

/** A part of a form: its header lines and its content. */
export interface Part {
  head: string[];
  content: string | Buffer;
}

export const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`;
export const field = (name: string, content: string): Part => ({
  head: [disposition(`name="${name}"`)],
  content,
});

/** The bytes of a form with these parts. */
export function form(boundary: string, parts: Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${boundary}\r\n${head.join('\r\n')}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

/** A form as an existing client sends it. */
interface ClientForm {
  sentBy: string;
  boundary: string;
  parts: (key: string) => Part[];
  expected: object;
  /** The expected name and content type of each file. */
  files: [string, string][];
}

export const CLIENT_FORMS: ClientForm[] = [
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
    sentBy: '.NET: a name that is not ASCII, once in MIME encoded words and once as filename*',
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
    sentBy: 'a browser: no file chosen in its file input',
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
    sentBy: 'a script: unusual case and spacing in the headers',
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

/** Sends a POST request with exactly these headers and bytes over its own connection. */
export async function postBytes(
  { url, token }: { url: string; token: string },
  target: string,
  head: string[],
  body: string | Buffer = '',
): Promise<SocketResponse> {
  const lines = [
    `POST ${target} HTTP/1.1`,
    'Host: push.example.org',
    `Authorization: Bearer ${token}`,
    ...head,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const [response] = await sendBytes(url, requestBytes(lines, body));
  if (!response) throw new Error('no response');
  return response;
}
