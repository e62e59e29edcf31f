import * as fc from 'fast-check';
import { filled } from './costly-bodies.js';
import type { Body } from './hostile-bodies.js';
import { MIB } from '../../../src/platform/settings/units.js';

/** What is repeated, and what stands before and after it. */
type Shape = [before: string, unit: string, after: string];

const [MIN_BYTES, MAX_BYTES] = [4096, 13 * MIB];

/** Texts that decoders, normalization, patterns or validators may handle in more than linear time. */
const TEXTS = [
  ...['a', '+', '%', '%61', '%2f@', '@a.', ' ', '=-', '\\"', '\\u00e9', '\\'],
  ...['\u0301\u0316', '\ufdfa', '\u202e', '\u{1f468}\u200d', '\0'],
];
const around = (before: string, after: string) => TEXTS.map((unit): Shape => [before, unit, after]);

const JSON_SHAPES: Shape[] = [
  ['', '[', ''],
  ['', '{"a":', ''],
  ['', '1', ''],
  ['', ' ', ''],
  ['[', '[],', '1]'],
  ['[', '{},', '1]'],
  ['[', '1,', '1]'],
  ['{', '"a":1,', '"b":1}'],
  ['{"push":{', '"a":1,', '"b":1}}'],
  ...['payload', 'passphrase', 'name', 'kind', 'expire_after_views'].flatMap((field) =>
    around(`{"push":{"${field}":"`, '"}}'),
  ),
  ...around('{"push":{"kind":"url","payload":"https://', '"}}'),
  ...around('{"push":{"files":[{"filename":"', '"}]}}'),
];
const FORM_SHAPES: Shape[] = [
  ['', '&', ''],
  ['', '=', ''],
  ['', 'a=1&', ''],
  ['', '%5B', ''],
  ['push', '[a]', '=1'],
  ['', 'push[payload][]=1&', ''],
  ...around('push[payload]=', ''),
  ...around('push[', ']=1'),
];
const PART = '--b\r\nContent-Disposition: form-data; name="push[payload]"';
const FILE = '--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a"';
const END = '\r\n--b--\r\n';
const MULTIPART_SHAPES: Shape[] = [
  ['', `${PART}\r\n\r\na\r\n`, END],
  ['', `${FILE}\r\n\r\na\r\n`, END],
  [`${PART}\r\n`, 'X: a\r\n', END],
  [PART, '; a="\\', END],
  ['', '--b\r\nX: 1\r\n\r\n\r\n', END],
  [`${PART}\r\nContent-Type:`, ' ;', END],
  ...['\r\n--', '\r\n--b', ...TEXTS].flatMap((unit): Shape[] => [
    [`${PART}\r\n\r\n`, unit, END],
    [`${FILE}\r\n\r\n`, unit, END],
    [FILE.slice(0, -1), unit, `"\r\n\r\na${END}`],
  ]),
];

const anyLength = fc.oneof(fc.integer({ min: MIN_BYTES, max: MAX_BYTES }), fc.constant(MAX_BYTES));

/** Bodies in which a few characters are repeated. They are not shrunk, because their length is what matters. */
export const longBody: fc.Arbitrary<Body> = fc.noShrink(
  fc
    .tuple(
      fc.oneof(
        fc.tuple(fc.constant('application/json'), fc.constantFrom(...JSON_SHAPES)),
        fc.tuple(fc.constant('application/x-www-form-urlencoded'), fc.constantFrom(...FORM_SHAPES)),
        fc.tuple(fc.constant('multipart/form-data; boundary=b'), fc.constantFrom(...MULTIPART_SHAPES)),
      ),
      anyLength,
    )
    .map(([[type, [before, unit, after]], length]) => ({ type, bytes: filled(unit, before, after, length) })),
);
