import { BODY_LIMIT } from './body-limits.js';
import { JsonScan, parseJson } from './json.js';
import { LongText } from './long-text.js';
import { MIB } from '../../settings/units.js';

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
