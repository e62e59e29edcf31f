import 'reflect-metadata';
import { Allow, IsOptional, IsString } from 'class-validator';
import { growthOfTime, LINEAR } from '../../../../test/support/growth-of-time.js';
import { validationPipe } from './validation.pipe.js';

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
