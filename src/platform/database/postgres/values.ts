import type { ValueConversion } from '../engine/engine.js';
import { dateTimeText } from '../engine/date-time-text.js';
import { readableMoment } from '../engine/readable-moment.js';

type Decoder = (text: string) => unknown;

let lastText = '';
let lastTime = NaN;

/** A `timestamptz`: `2026-11-22 05:06:07.89+00` in a session in UTC. Rows often repeat the last one. */
function moment(text: string): Date {
  if (text !== lastText) {
    const isUtc = text.endsWith('+00');
    lastTime = Date.parse(isUtc ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text);
    lastText = text;
  }
  return readableMoment(new Date(lastTime));
}

const identity: Decoder = (text) => text;

/** By the object identifiers of the types; a `numeric` stays a text, because it may have any number of digits. */
const DECODERS: Record<number, Decoder> = {
  16: (text) => text === 't', // bool
  17: (text) => Buffer.from(text.slice(2), 'hex'), // bytea
  20: Number, // int8, which is never larger here than a number can be
  21: Number, // int2
  23: Number, // int4
  26: Number, // oid
  700: Number, // float4
  701: Number, // float8
  1114: (text) => moment(`${text}+00`), // timestamp, which only tables of others have
  1184: moment, // timestamptz
};

/** How the text that the server sends for a value of a type is read. */
export function decoderOf(type: number): Decoder {
  return DECODERS[type] ?? identity;
}

/** For the queries that TypeORM sends itself. */
export const TYPES = { getTypeParser: decoderOf };

/**
 * A text without U+0000, which PostgreSQL refuses in any text. What is stored never has it: it is sealed bytes, or was
 * refused with a 422. So only lookups can have it, which find nothing then.
 */
export function withoutNull<Value>(value: Value): Value | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

/** What is sent for a value: text, bytes or null. */
export function encoded(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return withoutNull(value);
  if (Buffer.isBuffer(value)) return value;
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return `${dateTimeText(value)}+00`;
  return `${value as number}`;
}

/** TypeORM would make a new date from each that was read. */
export const MOMENT: ValueConversion = {
  toDatabase: (value) => value && encoded(value),
  fromDatabase: (value) => value,
};
