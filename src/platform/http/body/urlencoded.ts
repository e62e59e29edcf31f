import { isUtf8 } from 'node:buffer';
import { parse } from 'qs';
import { FORM_DEPTH, FORM_FIELDS, FORM_NAME_LENGTH } from './body-limits.js';
import { withoutByteOrderMark } from './media-type.js';
import { decodePercent } from './percent-encoding.js';
import { malformedBody, tooManyFields } from './body-errors.js';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;

/** `a[b]=c` becomes `{ a: { b: 'c' } }`, and a repeated name has an array. */
export type FormFields = Record<string, unknown>;

/**
 * The fields of an urlencoded form. Decodes in one pass over the bytes, in place; qs then only parses the brackets in
 * the names, which are few and short.
 * @throws BadRequestException when it cannot be decoded, is not UTF-8 or nested too deep
 * @throws PayloadTooLargeException when there are too many fields, or a name is too long
 */
export function parseUrlencoded(bytes: Buffer): FormFields {
  const fields = flatFields(withoutByteOrderMark(bytes));
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

function flatFields(bytes: Buffer): Record<string, string | string[]> {
  const fields = Object.create(null) as Record<string, string | string[]>;
  let count = 0;
  for (let start = 0; start < bytes.length;) {
    count += 1;
    if (count > FORM_FIELDS) throw tooManyFields();
    const found = bytes.indexOf(AMPERSAND, start);
    const end = found < 0 ? bytes.length : found;
    add(fields, bytes.subarray(start, end));
    start = end + 1;
  }
  return fields;
}

function add(fields: Record<string, string | string[]>, pair: Buffer): void {
  const equals = pair.indexOf(EQUALS);
  const encodedName = equals < 0 ? pair : pair.subarray(0, equals);
  if (encodedName.length > 3 * FORM_NAME_LENGTH) throw tooManyFields();
  const name = decode(encodedName);
  if (name.length > FORM_NAME_LENGTH) throw tooManyFields();
  const value = equals < 0 ? '' : decode(pair.subarray(equals + 1));
  if (name === '') return;

  const before = fields[name];
  if (before === undefined) fields[name] = value;
  else if (typeof before === 'string') fields[name] = [before, value];
  else before.push(value);
}

function decode(bytes: Buffer): string {
  const decoded = decodePercent(bytes);
  if (decoded === undefined || !isUtf8(decoded)) throw malformedBody();
  return decoded.toString();
}
