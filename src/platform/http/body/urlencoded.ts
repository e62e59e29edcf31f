import { setImmediate } from 'node:timers/promises';
import { parse } from 'qs';
import { MIB } from '../../settings/units.js';
import { FORM_DEPTH, FORM_FIELDS, FORM_NAME_LENGTH } from './body-limits.js';
import type { FormFields } from './field-texts.js';
import { longText, shortText } from './field-texts.js';
import { withoutByteOrderMark } from './media-type.js';
import { malformedBody, tooManyFields } from './body-errors.js';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * The fields of an urlencoded form. Decodes in one pass over the bytes, in place, and about a mebibyte in each turn of
 * the event loop; qs then only parses the brackets in the names, which are few and short.
 * @throws BadRequestException when it cannot be decoded, is not UTF-8 or nested too deep
 * @throws PayloadTooLargeException when there are too many fields, or a name is too long
 */
export async function parseUrlencoded(bytes: Buffer): Promise<FormFields> {
  const fields = await flatFields(withoutByteOrderMark(bytes));
  try {
    return parse(fields as Record<string, string>, {
      allowPrototypes: true, // names such as `constructor` are allowed
      depth: FORM_DEPTH,
      strictDepth: true,
      arrayLimit: FORM_FIELDS,
    });
  } catch {
    throw malformedBody();
  }
}

async function flatFields(bytes: Buffer): Promise<Record<string, string | string[]>> {
  const fields = Object.create(null) as Record<string, string | string[]>;
  let count = 0;
  let decodedInTurn = 0;
  for (let start = 0; start < bytes.length;) {
    count += 1;
    if (count > FORM_FIELDS) throw tooManyFields();
    const found = bytes.indexOf(AMPERSAND, start);
    const end = found < 0 ? bytes.length : found;
    await add(fields, bytes.subarray(start, end));
    decodedInTurn += end - start;
    if (decodedInTurn > MIB) {
      await setImmediate();
      decodedInTurn = 0;
    }
    start = end + 1;
  }
  return fields;
}

async function add(fields: Record<string, string | string[]>, pair: Buffer): Promise<void> {
  const equals = pair.indexOf(EQUALS);
  const encodedName = equals < 0 ? pair : pair.subarray(0, equals);
  if (encodedName.length > 3 * FORM_NAME_LENGTH) throw tooManyFields();
  const name = shortText(decoded(encodedName));
  if (name.length > FORM_NAME_LENGTH) throw tooManyFields();
  const value = equals < 0 ? '' : await textOf(pair.subarray(equals + 1));
  if (name === '') return;

  const before = fields[name];
  if (before === undefined) fields[name] = value;
  else if (typeof before === 'string') fields[name] = [before, value];
  else before.push(value);
}

async function textOf(encoded: Buffer): Promise<string> {
  return encoded.length > MIB ? longText(decodedSlices(encoded)) : shortText(decoded(encoded));
}

/** Slices of about a mebibyte, none of which ends within a `%41`. */
function* decodedSlices(encoded: Buffer): Generator<Buffer> {
  for (let start = 0; start < encoded.length;) {
    let end = Math.min(start + MIB, encoded.length);
    if (end < encoded.length) {
      if (encoded[end - 1] === PERCENT) end -= 1;
      else if (encoded[end - 2] === PERCENT) end -= 2;
    }
    yield decoded(encoded.subarray(start, end));
    start = end;
  }
}

/**
 * Decodes `%41` and `+` in place, in linear time.
 * @returns the beginning of the same memory
 * @throws BadRequestException when a `%` is not followed by two hexadecimal digits
 */
function decoded(bytes: Buffer): Buffer {
  const { length } = bytes;
  let to = 0;
  for (let from = 0; from < length; from++) {
    let byte = bytes[from] as number;
    if (byte === PLUS) {
      byte = SPACE;
    } else if (byte === PERCENT) {
      byte = (hexDigit(bytes[from + 1]) << 4) | hexDigit(bytes[from + 2]);
      if (byte < 0) throw malformedBody();
      from += 2;
    }
    bytes[to++] = byte;
  }
  return bytes.subarray(0, to);
}

/** @returns -1 if it is not a hexadecimal digit */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
