import { isDeepStrictEqual } from 'node:util';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/** A value of an entity as it is in the file: dates in ISO 8601, bytes in base64. */
export function encoded(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? value.toString('base64') : value;
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LONG_INTEGER = /^-?\d{1,19}$/;

/** Returns undefined for a value that is none of its type. */
type Decoder = (value: unknown) => unknown;

const accepting =
  (isValid: (value: unknown) => boolean): Decoder =>
  (value) =>
    isValid(value) ? value : undefined;
const isText = (value: unknown) => typeof value === 'string';
const text = accepting(isText);
const integer = accepting(Number.isSafeInteger);
/** TypeORM has it as a text on a server, unless the column converts it. */
const longInteger = accepting(
  (value) => Number.isSafeInteger(value) || (isText(value) && LONG_INTEGER.test(value)),
);
const flag = accepting((value) => typeof value === 'boolean');
const date: Decoder = (value) => (isText(value) && DATE.test(value) ? validDate(value) : undefined);
const bytes: Decoder = (value) => (isText(value) ? Buffer.from(value, 'base64') : undefined);

const DECODERS = new Map<ColumnMetadata['type'], Decoder>([
  ['varchar', text],
  ['text', text],
  [String, text],
  ['uuid', text],
  ['integer', integer],
  ['int', integer],
  [Number, integer],
  ['bigint', longInteger],
  ['boolean', flag],
  [Boolean, flag],
  ['datetime', date],
  [Date, date],
  ['blob', bytes],
  ['mediumblob', bytes],
  ['simple-json', accepting((value) => typeof value === 'object')],
  ['simple-array', accepting((value) => Array.isArray(value) && value.every(isText))],
]);

/** Whether a file can have its values, as those of a property of the entity itself. */
export function isMovable({ type, isVirtual, embeddedMetadata, asExpression }: ColumnMetadata): boolean {
  return DECODERS.has(type) && !isVirtual && embeddedMetadata === undefined && asExpression === undefined;
}

/** The value of the entity; undefined when it is none of this column. */
export function decoded(value: unknown, { type, isNullable }: ColumnMetadata): unknown {
  if (value === null) return isNullable ? null : undefined;
  return DECODERS.get(type)?.(value);
}

/** Whether an import gets the value of the entity from the file. */
export function isKept(value: unknown, column: ColumnMetadata): boolean {
  return value !== undefined && isDeepStrictEqual(decoded(encoded(value), column), value);
}

function validDate(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
