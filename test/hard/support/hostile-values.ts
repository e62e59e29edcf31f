import * as fc from 'fast-check';

/** Planted in every secret: the same in every text encoding and in lower case, and short, like quotes in error messages. */
export const MARKER = 'qxsecxq';

/** Text as clients send it, ordinary and odd. All of it is well-formed. */
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme' }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\0',
      'a\0b',
      '\r\n',
      '\u202egnp.exe', // from right to left
      'e\u0301', // one character in two normalization forms
      '\u00e9',
      '\ufeffa',
      '\uffff',
      '\u{1f337}',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      '\u0085\u2028\u2029',
      '%',
      '%00',
      '+&=;#',
      "'; DROP TABLE pushes; --",
      '<script>alert(1)</script>',
      '${7*7}{{7*7}}',
      '../../etc/passwd',
      '__proto__',
      'null',
      'javascript:alert(1)',
      'http://a.example/\t',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 200, maxLength: 300 }) },
);

/** Text that must never appear in an error or a log. */
export const secretText = text.map((some) => MARKER + some);

/** Serialized JSON values, including some that do not survive parsing unchanged. */
export const jsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: text.map((some) => JSON.stringify(some)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['null', 'true', 'false', '0', '-0', '-1', '1.0', '1.5', '1e400', '-1e400', '1e-400', '1E2'],
      ...['99999999999999999999', '9007199254740993', '"1"', '"+1"', '" 1 "', '"1.5"', '"1e3"', '"0x10"'],
      ...['"NaN"', '"Infinity"', '"true"', '"ON"', '"perhaps"', '[]', '{}', '[1]', '[[]]', '[null]'],
      ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"toString":null,"length":-1}'],
      ...[
        '"\\ud83c"',
        '"\\udf37a"',
        '"\\u0000"',
        '{"0":"a","length":1}',
        '{"filename":"a","content":"YQ=="}',
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('[', '{"a":'), fc.integer({ min: 1, max: 3000 }))
      .map(([open, depth]) => open.repeat(depth) + '0' + (open === '[' ? ']' : '}').repeat(depth)),
  },
);

/** Bytes of a header value: mostly valid in HTTP, sometimes not. */
export const headerText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map(character) }) },
  { weight: 3, arbitrary: fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(character) }) },
  { weight: 1, arbitrary: fc.constantFrom('', '\t', 'a\0b', '\x7f', 'a'.repeat(9000), 'a'.repeat(20_000)) },
);

function character(code: number): string {
  return String.fromCharCode(code);
}
