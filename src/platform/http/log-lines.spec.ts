import type { LogFormat } from './log-lines.js';
import { isLogFormat, logHead, logLines } from './log-lines.js';

const COLUMNS = ['id', 'user_agent', 'details'];
const csv = (row: object) => logLines('csv', [row], COLUMNS);

describe('A log as CSV', () => {
  it('quotes every cell, and ends lines as RFC 4180 says', () => {
    expect(logHead('csv', COLUMNS)).toBe('"id","user_agent","details"\r\n');
    expect(csv({ id: 1, user_agent: 'a "b", c', details: { token: 'x' } })).toBe(
      '"1","a ""b"", c","{""token"":""x""}"\r\n',
    );
    expect(csv({ id: null })).toBe('"","",""\r\n');
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\tx',
    '\rx',
    '\n=1',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '\ufeff@x',
    '\uff1d1',
    '\uff0b1',
    '\uff0d1',
    '\uff201',
    '"=1',
  ])('has no cell that becomes a formula: %j', (typed) => {
    expect(csv({ user_agent: typed })).toBe(`"","'${typed.replaceAll('"', '""')}",""\r\n`);
  });

  it('has none either where a spreadsheet separates cells by semicolons or tabs', () => {
    expect(csv({ user_agent: 'x;=1+1' })).toContain("x;'=1+1");
    expect(csv({ user_agent: 'x\t@1' })).toContain("x\t'@1");
    expect(csv({ user_agent: 'x\r\n-1' })).toContain("'-1");
  });

  it('leaves other text as it is', () => {
    for (const text of ['2001:db8::1', 'Mozilla/5.0 (X11; Linux x86_64) a+b=c', 'ada@example.org', 'a-b'])
      expect(csv({ user_agent: text })).toBe(`"","${text}",""\r\n`);
  });
});

describe('A log as NDJSON', () => {
  it('has one object in each line, and no head', () => {
    expect(logHead('ndjson', COLUMNS)).toBe('');
    expect(logLines('ndjson', [{ id: 1 }, { id: 2, more: '=1' }], COLUMNS)).toBe(
      '{"id":1}\n{"id":2,"more":"=1"}\n',
    );
  });
});

describe('A format', () => {
  it.each([undefined, '', 'xml', 'toString', ['csv'], '__proto__'])('is not %j', (format) => {
    expect(isLogFormat(format)).toBe(false);
  });

  it.each<LogFormat>(['csv', 'ndjson'])('is %s', (format) => {
    expect(isLogFormat(format)).toBe(true);
  });
});
