import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { BadRequestException } from '@nestjs/common';
import { MIB } from '../../settings/units.js';
import { BODY_LIMIT, JSON_DEPTH, JSON_NAME_BYTES, JSON_NAMES_BYTES, JSON_VALUES } from './body-limits.js';
import { withoutByteOrderMark } from './media-type.js';
import { malformedBody, notUtf8, bodyTooLarge } from './body-errors.js';
import { Problem } from '../../errors/problem.js';
import { LongText } from '../validation/text-error.js';

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ only in this bit. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
/** Bytes of a string after which `Buffer.indexOf` is faster than checking each byte. */
const SHORT_TEXT = 64;
/** Bytes of a string that is worth parsing separately. */
const LONG_TEXT = 64 * 1024;

/**
 * Counts the depth, values and names of JSON that arrives in pieces, without building any of them: `JSON.parse` blocks
 * the process for seconds if there are millions of values or brackets, or hundreds of names of more than 16,383
 * characters, which all have the same hash if they have the same length. It does not check the syntax.
 */
export class JsonScan {
  /** Strings of more than 64 KiB, in order. */
  readonly longTexts: TextRange[] = [];
  private position = 0; // of the current piece in all bytes
  private depth = 0;
  private values = 1; // the outermost; each other one follows a comma or is the first in its array or object
  private isInText = false;
  private isEscaped = false;
  private isAtFirst = false;
  private textBytes = 0; // of the last string, or of the current one so far
  private namesBytes = 0;
  private nextQuote = -1;
  private nextBackslash = -1;

  /** @throws BadRequestException when the JSON is nested too deep, or has too many values or too long names */
  add(bytes: Buffer): void {
    const { length } = bytes;
    this.nextQuote = this.nextBackslash = -1;
    let i = 0;
    while (i < length) {
      if (this.isInText) {
        i = this.skipText(bytes, i);
        continue;
      }
      const byte = bytes[i++] as number;
      if (byte <= SPACE) continue;
      if ((byte | BRACE_BIT) === CLOSING) {
        this.depth -= 1;
        this.isAtFirst = false;
        continue;
      }
      if (this.isAtFirst) {
        this.isAtFirst = false;
        this.count();
      }
      if (byte === QUOTE) this.beginText();
      else if (byte === COMMA) this.count();
      else if (byte === COLON) this.checkName();
      else if ((byte | BRACE_BIT) === OPENING) this.open();
    }
    this.position += length;
  }

  private beginText(): void {
    this.isInText = true;
    this.textBytes = 0;
  }

  /** @returns where the string or the bytes end; one beyond the bytes when the last one is a backslash */
  private skipText(bytes: Buffer, from: number): number {
    const { length } = bytes;
    let i = this.isEscaped ? from + 1 : from;
    while (i < length) {
      const near = length - i > SHORT_TEXT ? i + SHORT_TEXT : length;
      while (i < near) {
        const byte = bytes[i++];
        if (byte === BACKSLASH) {
          i += 1;
        } else if (byte === QUOTE) {
          this.endText(from, i);
          return i;
        }
      }
      i = this.findNext(bytes, i);
    }
    this.isEscaped = i > length;
    this.textBytes += length - from;
    return i;
  }

  /** @param end after the closing quote */
  private endText(from: number, end: number): void {
    this.isInText = this.isEscaped = false;
    this.textBytes += end - 1 - from;
    const to = this.position + end;
    if (this.textBytes > LONG_TEXT) this.longTexts.push({ start: to - this.textBytes - 2, end: to });
  }

  /** Where the next quote or backslash is; neither is searched again before the scan has passed it. */
  private findNext(bytes: Buffer, from: number): number {
    if (from >= bytes.length) return from;
    if (this.nextQuote < from) this.nextQuote = indexOf(bytes, QUOTE, from);
    if (this.nextBackslash < from) this.nextBackslash = indexOf(bytes, BACKSLASH, from);
    return this.nextQuote < this.nextBackslash ? this.nextQuote : this.nextBackslash;
  }

  private open(): void {
    this.depth += 1;
    this.isAtFirst = true;
    if (this.depth > JSON_DEPTH) {
      throw new BadRequestException(new Problem('json_too_deep', { count: JSON_DEPTH }));
    }
  }

  /** A string before a colon is a name. */
  private checkName(): void {
    if (this.textBytes > JSON_NAME_BYTES) {
      throw new BadRequestException(new Problem('json_name_too_long', { bytes: JSON_NAME_BYTES }));
    }
    this.namesBytes += this.textBytes;
    if (this.namesBytes > JSON_NAMES_BYTES) {
      throw new BadRequestException(new Problem('json_names_too_long', { bytes: JSON_NAMES_BYTES }));
    }
  }

  private count(): void {
    this.values += 1;
    if (this.values > JSON_VALUES) {
      throw new BadRequestException(new Problem('json_too_many_values', { count: JSON_VALUES }));
    }
  }
}

/** The length of `bytes` if there is none. */
function indexOf(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index < 0 ? bytes.length : index;
}

/**
 * The parsed JSON; undefined for an empty body. The text and the value of a long body are copies of all of it, which
 * take so long that they are made in separate turns of the event loop.
 * @param scan of all these bytes
 * @throws BadRequestException when it is not well-formed, or not UTF-8, which would be replaced silently
 */
export async function parseJson(bytes: Buffer, { longTexts }: JsonScan): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw notUtf8();
  if (bytes.length <= MIB) return parsedJson(withoutByteOrderMark(bytes).toString());

  await setImmediate();
  if (bytes.length > BODY_LIMIT) return parseLongJson(bytes, longTexts);
  const text = withoutByteOrderMark(bytes).toString();
  await setImmediate();
  const value = parsedJson(text);
  await setImmediate();
  return value;
}

/** `\u0000` */
const ESCAPE_BYTES = 6;

/** Where a string is in JSON, with its quotes. */
interface TextRange {
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
async function parseLongJson(bytes: Buffer, longTexts: TextRange[]): Promise<unknown> {
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
function parsedJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
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
