import type { HttpException } from '@nestjs/common';
import { growthOfTime, LINEAR } from '../../../../test/support/growth-of-time.js';
import { JSON_DEPTH, JSON_NAME_BYTES, JSON_NAMES_BYTES, JSON_VALUES, BODY_LIMIT } from './body-limits.js';
import { LongText } from '../validation/text-error.js';
import { JsonScan, parseJson } from './json.js';
import type { Problem } from '../../errors/problem.js';
import { apiText, problemOf } from '../../errors/problem.js';
import { MIB } from '../../settings/units.js';

function scan(text: string | Buffer, pieceLength = Infinity): void {
  const scanner = new JsonScan();
  const bytes = Buffer.from(text);
  const step = Math.min(pieceLength, bytes.length);
  for (let start = 0; start < bytes.length; start += step) scanner.add(bytes.subarray(start, start + step));
}

/** The message with which the text is rejected; `''` if it is accepted. */
function errorOf(text: string, pieceLength?: number): string {
  try {
    scan(text, pieceLength);
    return '';
  } catch (error) {
    return apiText(problemOf(error as HttpException) as Problem);
  }
}

const TOO_DEEP = 'The JSON must not be nested more than 32 levels deep.';
const TOO_MANY = 'The JSON must not have more than 10000 values.';
const LONG_NAME = 'A name in the JSON must not have more than 1024 bytes.';
const LONG_NAMES = 'The names in the JSON must not have more than 131072 bytes in total.';
const within = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
const list = (count: number, item: string) => Array.from({ length: count }, () => item).join(',');

describe('The scan of JSON', () => {
  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
    ['objects with space between', '{ "a" :\r\n\t', ' }'],
  ])('rejects %s nested more than 32 levels deep (L2)', (_name, open, close) => {
    expect(errorOf(within(open, close, JSON_DEPTH))).toBe('');
    expect(errorOf(within(open, close, JSON_DEPTH + 1))).toBe(TOO_DEEP);
  });

  it('counts levels, not brackets', () => {
    expect(errorOf(`[${list(1000, '[[]]')}]`)).toBe('');
    expect(errorOf(JSON.stringify(['['.repeat(100), '\\"['.repeat(100), '\\']))).toBe('');
    expect(errorOf(`["\\\\","[${'['.repeat(100)}"]`)).toBe('');
    expect(errorOf(`["\\\\",${'['.repeat(JSON_DEPTH)}`)).toBe(TOO_DEEP);
  });

  it.each([
    ['numbers', '1'],
    ['texts', '"a,b:[]{}"'],
    ['words', 'null'],
    ['empty arrays', '[]'],
    ['empty objects with space in them', '{ \n}'],
  ])('rejects more than 10,000 values when they are %s (L2)', (_name, item) => {
    expect(errorOf(`[${list(JSON_VALUES - 1, item)}]`)).toBe('');
    expect(errorOf(`[${list(JSON_VALUES, item)}]`)).toBe(TOO_MANY);
  });

  it('counts the values of object members, not their names', () => {
    const object = (members: number) => `{${list(members, '"a": "b"')}}`;

    expect(errorOf(object(JSON_VALUES - 1))).toBe('');
    expect(errorOf(object(JSON_VALUES))).toBe(TOO_MANY);
  });

  it.each([
    ['letters', 'a'],
    ['letters of several bytes', '\u20ac'],
    ['escapes', '\\u0061'],
    ['escaped quotes', '\\"'],
    ['escaped backslashes', '\\\\'],
  ])('rejects a name of more than 1 KiB when it has %s (M1)', (_name, unit) => {
    const units = Math.floor(JSON_NAME_BYTES / Buffer.byteLength(unit));
    const longest = unit.repeat(units) + 'a'.repeat(JSON_NAME_BYTES - units * Buffer.byteLength(unit));
    const object = (name: string) => `{"a":[{ "${name}" \n: "${'a'.repeat(5000)}"}]}`;

    for (const pieceLength of [1, 2, 7, 100, Infinity]) {
      expect(errorOf(object(longest), pieceLength)).toBe('');
      expect(errorOf(object(`${longest}a`), pieceLength)).toBe(LONG_NAME);
    }
  });

  it.each([7, 70, Infinity])(
    'rejects more than 128 KiB of names, in pieces of %d bytes (M1)',
    (pieceLength) => {
      const names = (count: number) => `[${list(count, `{"${'a'.repeat(1024)}":"${'a'.repeat(2000)}"}`)}`;

      expect(errorOf(names(JSON_NAMES_BYTES / 1024), pieceLength)).toBe('');
      expect(errorOf(`${names(JSON_NAMES_BYTES / 1024)},{"a":1}]`, pieceLength)).toBe(LONG_NAMES);
    },
  );

  it.each([1, 2, 3, 7, 64])('has the same result for pieces of %d bytes', (length) => {
    const text = JSON.stringify({ push: { payload: '\\"["\\', note: ['ü', '\u{1f337}', '{', ''] } });
    const most = (item: string) => `[${list(JSON_VALUES / 2 - 1, item)}]`;

    expect(errorOf(text, length)).toBe('');
    expect(errorOf(most('["\\\\\\""]'), length)).toBe('');
    expect(errorOf(most('["\\\\\\"",1]'), length)).toBe(TOO_MANY);
    expect(errorOf(within('[', ']', JSON_DEPTH + 1), length)).toBe(TOO_DEEP);
  });

  it('finds the end of long strings', () => {
    const texts = ['a', '\\', '"', '\\"', '\\\\', 'a\\', '\\a'].flatMap((unit) =>
      Array.from({ length: 150 }, (_, length) => unit.repeat(length) + '['.repeat(40)),
    );
    for (const text of texts) {
      const json = JSON.stringify([text, [text]]);
      expect(errorOf(json)).toBe('');
      expect(errorOf(`[${json},${'['.repeat(JSON_DEPTH)}`)).toBe(TOO_DEEP);
      expect(errorOf(`[${json},${'['.repeat(JSON_DEPTH - 1)}`, 50)).toBe('');
      expect(errorOf(`[${json},${'['.repeat(JSON_DEPTH)}`, 70)).toBe(TOO_DEEP);
    }
  });

  it('leaves malformed JSON to the parser', () => {
    for (const text of ['', ']]]', '{', '"', '"\\', 'tulip', ',,,', '\0']) expect(errorOf(text)).toBe('');
  });

  it.each(['"', '\\', ' ', '1', '"\\"', ']', `"${'a'.repeat(70)}"`, `${'a'.repeat(70)}\\`])(
    'takes time linear in the length of %j (L2)',
    async (unit) => {
      const make = (bytes: number) => Buffer.alloc(bytes, unit);

      expect(await growthOfTime(2 * 1024 * 1024, make, scan)).toBeLessThan(LINEAR);
    },
  );
});

/** Long enough that its long strings are parsed separately. */
const LONG = 'a'.repeat(BODY_LIMIT);

function parse(json: string, pieceLength = MIB): Promise<unknown> {
  const bytes = Buffer.from(json);
  const scan = new JsonScan();
  for (let start = 0; start < bytes.length; start += pieceLength)
    scan.add(bytes.subarray(start, start + pieceLength));
  return parseJson(bytes, scan);
}

const statusOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  );

describe('JSON that is longer than any without files', () => {
  it.each([997, 65_536, Infinity])('is parsed like any other, in pieces of %d bytes', async (pieceLength) => {
    const value = {
      short: '\u20ac"\\',
      texts: ['x'.repeat(65_536), 'y'.repeat(65_537), { deep: 'z'.repeat(70_000) }],
      number: 1,
      none: null,
    };
    const json = `\ufeff ${JSON.stringify({ value, long: LONG, last: 'w'.repeat(100_000) })}`;
    const { long, ...others } = (await parse(json, pieceLength)) as { long: LongText };

    expect(others).toEqual({ value, last: 'w'.repeat(100_000) });
    expect(long).toBeInstanceOf(LongText);
    expect(long.pieces.join('') === LONG).toBe(true);
  });

  it.each([
    ['\u20ac', '\u20ac'],
    ['\u{1f337}', '\u{1f337}'],
    ['\\u20ac', '\u20ac'],
    ['\\ud83c\\udf37', '\u{1f337}'],
    ['\\\\', '\\'],
    ['\\"', '"'],
    ['\\\\u0041', '\\u0041'],
    ['\\n\u00e9', '\n\u00e9'],
  ])('keeps %s whole, wherever its string is divided', async (written, read) => {
    const count = Math.ceil((1.1 * MIB) / Buffer.byteLength(written));
    const shifts = Array.from({ length: 13 }, (_, shift) => 'b'.repeat(shift));
    const json = `[${shifts.map((shift) => `"${shift}${written.repeat(count)}"`).join(',')}]`;
    const texts = (await parse(json)) as string[];

    expect(texts.map((text, i) => text === `${shifts[i]}${read.repeat(count)}`)).toEqual(
      shifts.map(() => true),
    );
  });

  it('is rejected when it is malformed, within a long string or elsewhere', async () => {
    for (const json of [
      `["${LONG}\\x"]`,
      `["${LONG}\n"]`,
      `["${LONG}\\u00"]`,
      `["${LONG}"`,
      `["${LONG}" 1]`,
      `["${LONG}",]`,
    ]) {
      expect(await statusOf(parse(json))).toBe(400);
    }
  });

  it('may have as much without its long strings as JSON without files (M4)', async () => {
    const short = (bytes: number) => `["${LONG}",${' '.repeat(bytes)}1]`;

    expect(await statusOf(parse(short(BODY_LIMIT - 100)))).toBe(200);
    expect(await statusOf(parse(short(BODY_LIMIT)))).toBe(413);
    expect(await statusOf(parse(`[${`"${'a'.repeat(60_000)}",`.repeat(300)}1]`))).toBe(413);
  });
});
