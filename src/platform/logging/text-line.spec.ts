import { stripVTControlCharacters } from 'node:util';
import { textLine } from './text-line.js';

const TIME = '2026-11-22T19:42:01.123Z';
const lineOf = (facts: object, hasColors = false) =>
  textLine(JSON.stringify({ level: 'info', time: TIME, msg: 'request', ...facts }), hasColors);

describe('A line of the log as text', () => {
  it('has time, level, process, message and facts, with the id of the request last', () => {
    const line = lineOf({ process: 'worker-2', requestId: 'a-1', status: 200, route: '/p/:url_token' });

    expect(line).toMatch(
      /^2026-11-2[123] \d\d:\d\d:\d\d INFO {2}worker-2 request {2}status=200 route=\/p\/:url_token requestId=a-1\n$/,
    );
  });

  it('quotes values that could be mistaken for several, or for none', () => {
    const line = lineOf({ a: 'b c=d', e: '', f: 'g"h', i: null, j: ['k'], l: { m: 1 }, n: 'ö' });

    expect(line.split('  ').at(-1)).toBe(
      String.raw`a="b c=d" e="" f="g\"h" i=null j=["k"] l={"m":1} n="ö"` + '\n',
    );
  });

  it('is followed by the stack trace, indented', () => {
    const stack = 'Error: bad\n2026-11-22 19:42:01 INFO forged\n    at run (a.js:1:2)';

    expect(lineOf({ level: 'error', msg: 'Failed', stack }).split('\n').slice(1)).toEqual([
      '    Error: bad',
      '    2026-11-22 19:42:01 INFO forged',
      '        at run (a.js:1:2)',
      '',
    ]);
  });

  it('has colours only on request, around text that stays the same', () => {
    const facts = { level: 'warn', port: 1 };

    expect(lineOf(facts, true)).toContain('\u001b[33mWARN');
    expect(stripVTControlCharacters(lineOf(facts, true))).toBe(lineOf(facts));
  });

  it.each([
    ['escape sequence', '\u001b[2J'],
    ['carriage return', '\r'],
    ['line feed', '\n'],
    ['null', '\u0000'],
    ['delete', '\u007f'],
    ['C1 control', '\u009b2J'],
    ['line separator', '\u2028'],
    ['paragraph separator', '\u2029'],
    ['right-to-left override', '\u202e'],
    ['zero-width space', '\u200b'],
    ['half of a surrogate pair', '\ud800'],
  ])('shows no %s, wherever it is (E10)', (_name, hostile) => {
    const text = `a${hostile}2026-11-22 19:42:01 INFO forged`;
    const facts = {
      process: text,
      msg: text,
      requestId: text,
      [text]: text,
      list: [text],
      stack: `${text}b`,
    };
    const line = lineOf(facts);
    const [head = '', ...rest] = line.slice(0, -1).split('\n');

    expect(line).toMatch(/^[\P{C}\n]+$/u);
    expect(line).not.toMatch(/[\u2028\u2029]/);
    expect(head.match(/forged/g)).toHaveLength(6);
    expect(rest).toHaveLength(hostile === '\n' ? 2 : 1);
    for (const trace of rest) expect(trace).toMatch(/^ {4}/);
  });
});
