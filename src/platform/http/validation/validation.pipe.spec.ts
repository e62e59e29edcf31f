import 'reflect-metadata';
import { Allow, IsOptional, IsString } from 'class-validator';
import { growthOfTime, LINEAR } from '../../../../test/support/growth-of-time.js';
import { toBoolean, toInteger, validationPipe } from './validation.pipe.js';

class ParentDto {
  @IsOptional()
  inherited?: unknown;
}

class Dto extends ParentDto {
  @IsString()
  name = 'tulip';

  @IsOptional()
  value?: unknown;
}

class AllowedDto {
  @Allow()
  value?: unknown;
}

const validated = (fields: object) => validationPipe.transform(fields, { type: 'body', metatype: Dto });

/** An object with about that many bytes of names. */
const manyNames = (bytes: number): object =>
  Object.fromEntries(Array.from({ length: bytes / 8 }, (_, index) => [`n${index}`.padEnd(8, 'x'), 1]));

describe('The validation pipe', () => {
  it('creates an instance with the fields that the class declares or inherits, and its defaults', async () => {
    const dto = (await validated({ value: 1, inherited: 2, other: 3, toString: 4 })) as Dto;

    expect(dto).toBeInstanceOf(Dto);
    expect({ ...dto }).toEqual({ name: 'tulip', value: 1, inherited: 2 });
  });

  it('keeps the fields of a class that has no rules, and no others', async () => {
    const sent = { value: 1, other: 2, constructor: 3 };
    const dto = (await validationPipe.transform(sent, { type: 'body', metatype: AllowedDto })) as AllowedDto;

    expect(dto).toBeInstanceOf(AllowedDto);
    expect({ ...dto }).toEqual({ value: 1 });
  });

  it.each([[['a', ['b']]], [{ a: { b: 1 } }], [Object.create(null)]])(
    'does not copy %j',
    async (value: unknown) => {
      expect(((await validated({ value })) as Dto).value).toBe(value);
    },
  );

  it.each([
    ['fields that it does not know', (names: object) => names],
    ['names in a field', (names: object) => ({ value: names })],
    ['names in a list in a field', (names: object) => ({ value: [[names]] })],
  ])('takes time linear in the number of %s (M2)', async (_what, fields) => {
    const make = (bytes: number) => fields(manyNames(bytes));

    expect(await growthOfTime(256 * 1024, make, validated)).toBeLessThan(LINEAR);
  });
});

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
