import { toBoolean, toInteger } from './fields.js';

describe('A boolean in a request', () => {
  it.each(['true', 'on', 'yes', '1', 'checked', 'TRUE', 'On', 'yEs', 'Checked', ' true ', 1, true])(
    'is true when it is %p',
    (value) => {
      expect(toBoolean(value)).toBe(true);
    },
  );

  it.each(['false', 'off', 'no', '0', '', 'FALSE', 'Off', 'nO', 0, false])(
    'is false when it is %p',
    (value) => {
      expect(toBoolean(value)).toBe(false);
    },
  );

  it.each(['t', 'y', 'ja', '2', 'truee', 'unchecked', 'null', 2, -1, NaN])(
    'is neither when it is %p',
    (value) => {
      expect(toBoolean(value)).toBe(value);
    },
  );

  it.each([[['true']], [{ valueOf: 'true' }], [undefined]])('is neither when it is %j', (value) => {
    expect(toBoolean(value)).toBe(value);
  });
});

describe('An integer in a request', () => {
  it.each([
    ['7', 7],
    [' 7 ', 7],
    ['007', 7],
    ['+7', 7],
    ['-7', -7],
    [7, 7],
  ])('may be written as %p', (value, integer) => {
    expect(toInteger(value)).toBe(integer);
  });

  it.each(['', 'None', 'null', 'undefined'])('is absent when it is %p', (value) => {
    expect(toInteger(value)).toBeUndefined();
  });

  it.each([
    ' ',
    'none',
    'NULL',
    '7.0',
    '7,0',
    '7e0',
    '0x7',
    '7n',
    '\u0667',
    '--7',
    'NaN',
    '9'.repeat(400),
    true,
    null,
  ])('may not be written as %p', (value) => {
    expect(toInteger(value)).toBe(value);
  });
});

describe('A boolean or an integer in a request', () => {
  it('is not looked for in a text that is longer than any spelling (M4)', () => {
    const spaces = ' '.repeat(100);

    expect(toBoolean(`true${spaces}`)).toBe(`true${spaces}`);
    expect(toInteger(`7${spaces}`)).toBe(`7${spaces}`);
  });
});
