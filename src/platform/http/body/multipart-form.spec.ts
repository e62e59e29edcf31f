import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { EventEmitter } from 'node:events';
import type { HttpException } from '@nestjs/common';
import { UnprocessableEntityException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { growthOfTime, LINEAR } from '../../../../test/support/growth-of-time.js';
import { Log } from '../../logging/log.js';
import { MemoryBudget } from '../../settings/memory-budget.js';
import { Settings } from '../../settings/settings.js';
import { BodiesInProgress } from './bodies-in-progress.js';
import type { FileReceiver } from './file-receiver.js';
import { MultipartForm } from './multipart-form.js';
import { MIB } from '../../settings/units.js';

const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const FIELD = field('a');
const FILE = 'Content-Disposition: form-data; name=f; filename=x';

const part = (head: string, content = '') => `--b\r\n${head}\r\n\r\n${content}\r\n`;
const form = (...parts: string[]) => Buffer.from(`${parts.join('')}--b--\r\n`, 'latin1');

/** The result of reading a form that arrives in pieces of this size. */
async function read(bytes: Buffer, pieceLength = 64 * 1024, contentType = 'multipart/form-data; boundary=b') {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceLength) }, (_, index) =>
    bytes.subarray(index * pieceLength, (index + 1) * pieceLength),
  );
  const request = Object.assign(Readable.from(pieces, { objectMode: false }), {
    headers: { 'content-type': contentType, 'content-length': String(bytes.length) },
    socket: { remoteAddress: '192.0.2.1' },
  });
  const files: [name: string, type: string, content: string][] = [];
  const receiver: FileReceiver = {
    maxFiles: 3,
    rejectsAtFirstFile: false,
    maxBytesInFile: MIB,
    maxBytes: 2 * MIB,
    size: 0,
    accepts: (field) => field === 'f',
    take: async (name, type, content) => {
      const file: (typeof files)[0] = [name, type, ''];
      files.push(file);
      file[2] = (await buffer(content)).toString('latin1');
    },
    tooLargeError: () => new UnprocessableEntityException(),
    error: () => Promise.resolve(undefined),
  };
  const fields = await new MultipartForm(
    request as unknown as Request,
    new EventEmitter() as unknown as Response,
    new BodiesInProgress(new Settings(), new MemoryBudget(1), new Log({ LOG_LEVEL: 'error' })),
    13 * MIB,
    receiver,
  ).read();
  return { fields: { ...fields }, files };
}

const statusOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: unknown) => (error as HttpException).getStatus(),
  );

describe('A multipart form', () => {
  it.each([1, 2, 3, 5, 7, 64, 1000])('is read in pieces of %d bytes', async (length) => {
    const bytes = form(
      part(FIELD, '1\r\n--c\r\n'),
      part(`content-type:  text/plain; charset=iso-8859-1 \r\n${FILE}`, 'one\xff'),
      part(FILE, ''),
      part(`Content-Type: text/plain; charset=utf-8\r\n${field('a[b]')}`, '\xef\xbf\xbd\xc3\xa9'),
    );

    expect(await read(bytes, length)).toMatchObject({
      fields: { a: { '': '1\r\n--c\r\n', b: '\ufffd\u00e9' } },
      files: [
        ['x', 'text/plain; charset=iso-8859-1', 'one\xff'],
        ['x', 'application/octet-stream', ''],
      ],
    });
  });

  it.each([
    ['a part without a head', ''],
    ['a part that is not of a form', 'Content-Disposition: attachment; name=a'],
    ['a name that cannot be read', 'Content-Disposition: form-data; name=[a]'],
    ['a part without a disposition', 'Content-Type: text/plain'],
    ['a file without a name', `${FIELD}\r\nContent-Type: application/octet-stream`],
    ['half a head', 'Content-Disposition'],
  ])('is rejected with %s, which the parser drops', async (_name, head) => {
    expect(await statusOf(read(form(part(FIELD), part(head, 'rose'))))).toBe(400);
  });

  it.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['a boundary of 71 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`],
  ])('is rejected with %s', async (_name, type) => {
    expect(await statusOf(read(form(part(FIELD)), 1000, type))).toBe(400);
  });

  it.each([
    ['fields', [FIELD], 101],
    ['unwanted files', ['Content-Disposition: form-data; name=g; filename=x'], 14],
    ['parts that the parser drops', ['X: 1'], 5000],
  ])('is rejected with too many %s', async (_name, [head = ''], count) => {
    const parts = Array.from({ length: count }, () => part(head));

    expect(await statusOf(read(form(...parts)))).toBe(413);
  });

  it('is rejected with a field that is longer than any text can be (L1)', async () => {
    const fields = [part(FIELD, 'a'.repeat(4 * MIB)), part(field('b'), 'a'.repeat(4 * MIB))];

    expect(Object.keys((await read(form(...fields))).fields)).toEqual(['a', 'b']);
    expect(await statusOf(read(form(part(FIELD, 'a'.repeat(4 * MIB + 1)))))).toBe(413);
  });

  it('is rejected with an index that would create a huge array', async () => {
    const parts = [part(field('a[4294967294]')), part(field('a[x]'))];

    expect(await statusOf(read(form(...parts)))).toBe(413);
  });

  it('is rejected with part headers that are too long or do not end (F3)', async () => {
    expect(await statusOf(read(form(part(`${FIELD}\r\nX: ${'x'.repeat(20_000)}`))))).toBe(400);
    expect(await statusOf(read(Buffer.from(`--b\r\nX: ${'x'.repeat(100_000)}`)))).toBe(400);
  });

  it.each([
    ['a field', (length: number) => form(part(FIELD, 'a'.repeat(length)))],
    ['spaces in a head', (length: number) => form(part(`${FIELD}\r\nX:${' '.repeat(length / 64)}`))],
    ['line breaks', (length: number) => form(part(FIELD, '\r\n'.repeat(length / 2)))],
    ['what begins like a boundary', (length: number) => form(part(FIELD, '\r\n--'.repeat(length / 4)))],
    ['the content of a file', (length: number) => form(part(FILE, '\r'.repeat(length / 16)))],
  ])('takes time linear in the length of %s (L1)', async (_name, make) => {
    const growth = await growthOfTime(2 * MIB, make, (bytes) => statusOf(read(bytes)));

    expect(growth).toBeLessThan(LINEAR);
  });
});
