import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PartHeads } from './part-heads.js';

const FORM = [
  '--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--bc\r\n\r\n',
  '\r\n--b\r\ncontent-type:  text/plain; charset=utf-8 \r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n',
  '\r\n--b\r\n\r\nwithout a head\r\n--b--\r\n--b\r\nafter: the end\r\n\r\n',
].join('');

/** What is found when the form arrives in pieces of this size, and the parser tells of these parts. */
function follow(
  form: string,
  size: number,
  told: ('field' | 'file')[],
  contentType = 'x; boundary=b',
  filename = 'x',
) {
  const heads = new PartHeads();
  const request = Object.assign(new EventEmitter(), { headers: { 'content-type': contentType } });
  const parser = new EventEmitter();
  const types: string[] = [];
  parser.on('file', (_name, _stream, { mimeType }: { mimeType: string }) => types.push(mimeType));
  heads.follow(request as unknown as IncomingMessage, parser);

  for (let start = 0; start < form.length; start += size) {
    request.emit('data', Buffer.from(form.slice(start, start + size)));
  }
  for (const kind of told) parser.emit(kind, 'name', 'stream', { mimeType: 'from/parser', filename });
  return { types, areMisread: heads.areMisread };
}

describe('The heads of the parts of a form', () => {
  it.each([1, 2, 3, 5, 7, 64, 1000])('are found in pieces of %d bytes', (size) => {
    expect(follow(FORM, size, ['field', 'file', 'file'])).toEqual({
      types: ['text/plain; charset=utf-8', 'application/octet-stream'],
      areMisread: false,
    });
  });

  it('tell that the parser has left one out', () => {
    expect(follow(FORM, 10, ['field', 'file']).areMisread).toBe(true);
  });

  it.each([
    ['a name', 'filename=x', 'x', false],
    ['an empty one, as of an input without a choice', 'filename=""', '', false],
    ['none at all', 'y=z', '', true],
    ['one that is a folder', 'filename="a/"', '', true],
  ])('tell of content that the parser drops: a file with %s', (_name, parameter, filename, expected) => {
    const form = `--b\r\nContent-Disposition: form-data; name=f; ${parameter}\r\n\r\n`;

    expect(follow(form, 10, ['file'], 'x; boundary=b', filename).areMisread).toBe(expected);
  });

  it.each(['x; boundary="b"', 'x;charset=utf-8;BOUNDARY=b; y=z'])('are found with %s', (contentType) => {
    expect(follow(FORM, 10, ['field', 'file', 'file'], contentType).areMisread).toBe(false);
  });

  it('are no longer looked for in a head or a form without end (F3)', () => {
    const endless = follow(`--b\r\nX: ${'x'.repeat(100_000)}\r\n\r\n\r\n--b\r\n\r\n`, 1000, []);
    const countless = follow('--b\r\n\r\n\r\n'.repeat(5000), 1000, []);

    expect(endless.areMisread).toBe(false);
    expect(countless.areMisread).toBe(true);
  });
});
