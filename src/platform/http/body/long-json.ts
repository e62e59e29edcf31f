import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MIB } from '../../settings/units.js';
import { bodyTooLarge, malformedBody } from './body-errors.js';
import { BODY_LIMIT } from './body-limits.js';
import { LongText } from './long-text.js';
import { withoutByteOrderMark } from './media-type.js';

const BACKSLASH = 0x5c;
/** `\u0000` */
const ESCAPE_BYTES = 6;

/** Where a string is in JSON, with its quotes. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Parses JSON longer than any without files. Its long strings are parsed separately, a mebibyte in each turn of the
 * event loop, because `JSON.parse` copies all of the text, and each string again. Those that are longer than
 * `BODY_LIMIT` less a mebibyte become a `LongText`.
 * @param bytes UTF-8
 * @throws PayloadTooLargeException when what is left without the long strings is longer than `BODY_LIMIT`
 * @throws BadRequestException when it is not well-formed
 */
export async function parseLongJson(bytes: Buffer, longTexts: TextRange[]): Promise<unknown> {
  const mark = randomUUID();
  const edges = [0, ...longTexts.flatMap(({ start, end }) => [start, end]), bytes.length];
  const rest = longTexts.flatMap((_text, i) => [
    bytes.subarray(edges[2 * i], edges[2 * i + 1]),
    Buffer.from(`"${mark}${i}"`),
  ]);
  const json = Buffer.concat([...rest, bytes.subarray(edges.at(-2))]);
  if (json.length > BODY_LIMIT) throw bodyTooLarge();

  const texts: (string | LongText)[] = [];
  for (const { start, end } of longTexts) texts.push(await textIn(bytes.subarray(start + 1, end - 1)));
  const text = withoutByteOrderMark(json).toString();
  await setImmediate();
  return parsedJson(text, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value,
  );
}

/** @throws BadRequestException when it is not well-formed */
export function parsedJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw malformedBody();
  }
}

async function textIn(bytes: Buffer): Promise<string | LongText> {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length;) {
    await setImmediate();
    const end = endOfPiece(bytes, start, start + MIB);
    pieces.push(parsedJson(`"${bytes.toString('utf8', start, end)}"`) as string);
    start = end;
  }
  return bytes.length > BODY_LIMIT - MIB
    ? new LongText(pieces)
    : pieces.reduce((text, piece) => text + piece, '');
}

/** At most `to`, and not within a character or an escape. */
function endOfPiece(bytes: Buffer, start: number, to: number): number {
  if (to >= bytes.length) return bytes.length;
  let end = to;
  while (((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  for (let at = end - 1; at > end - ESCAPE_BYTES; at--) {
    if (bytes[at] === BACKSLASH) return beginsEscape(bytes, start, at) ? at : end;
  }
  return end;
}

/** Every second backslash of several is escaped itself. */
function beginsEscape(bytes: Buffer, start: number, backslash: number): boolean {
  let first = backslash;
  while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
  return (backslash - first) % 2 === 0;
}
