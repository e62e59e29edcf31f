import type { Type, ValidationError } from '@nestjs/common';
import { UnprocessableEntityException, ValidationPipe, applyDecorators } from '@nestjs/common';
import { instanceToPlain, plainToInstance, Transform } from 'class-transformer';
import type { ValidationArguments } from 'class-validator';
import { getMetadataStorage, ValidateBy } from 'class-validator';
import { Problem } from '../../errors/problem.js';
import { textError } from './text-error.js';

/**
 * Creates an instance of a parameter's DTO and checks it by the decorators of its class. Properties without a decorator
 * are dropped, and arrays and objects are not copied. Responds with 422 and what is wrong with each field (docs/api.md,
 * Errors).
 */
export const validationPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  transformerPackage: { plainToInstance: dtoFrom, classToPlain: instanceToPlain },
  validationError: { target: true }, // for validators that compare properties
  exceptionFactory: (errors) => new UnprocessableEntityException(problemsByField(errors)),
});

/**
 * The DTO of a body that its route reads itself, checked as by the pipe. All its rules are those of `CheckedBy`, so it is
 * not checked by class-validator, which takes 1.5 µs and 2 kB for each property.
 * @param context what its rules depend on
 * @throws InvalidFields
 */
export function validated<Dto extends object>(dto: Type<Dto>, fields: object, context?: unknown): Dto {
  const instance = dtoFrom(dto, fields);
  assertValid(problemsOf(instance, context));
  return instance;
}

/**
 * A DTO with the fields that its class declares, converted but not checked. Passes only these to class-transformer, which
 * compares each name with all others, and of them only texts, numbers and the like: it would copy arrays and objects,
 * with all names in them.
 */
export function dtoFrom<Dto>(dto: Type<Dto>, sent: unknown): Dto {
  const flat: Record<string, unknown> = {};
  const nested: Record<string, unknown> = {};
  for (const name of propertiesOf(dto).names) {
    if (!Object.hasOwn(sent as object, name)) continue;
    const value = (sent as Record<string, unknown>)[name];
    (isNested(value) ? nested : flat)[name] = value;
  }
  return Object.assign(plainToInstance(dto, flat) as object, nested) as Dto;
}

/** What is wrong with the properties of a DTO, by their names; empty when it is valid. */
export function problemsOf(dto: object, context?: unknown): Record<string, Problem[]> {
  const found: Record<string, FieldProblems> = {};
  for (const { name, rule } of propertiesOf(dto.constructor as Type).rules) {
    if (!rule)
      throw new Error(`${dto.constructor.name}.${name} is checked by something else than CheckedBy.`);
    found[name] ||= rule((dto as Record<string, unknown>)[name], dto, context);
  }
  return problemsIn(found);
}

/** The fields with problems, and their problems. */
export function problemsIn(found: Record<string, FieldProblems>): Record<string, Problem[]> {
  const names = Object.keys(found).filter((name) => found[name]);
  return Object.fromEntries(names.map((name) => [name, [found[name] as Problem | Problem[]].flat()]));
}

/** The 422 of all fields that are not valid, with what is wrong with each. `base` is about all of them. */
export class InvalidFields extends UnprocessableEntityException {
  constructor(problems: Record<string, FieldProblems>) {
    super(problemsIn(problems));
  }
}

/** @throws InvalidFields if there are problems */
export function assertValid(found: Record<string, FieldProblems>): void {
  if (Object.values(found).some(Boolean)) throw new InvalidFields(found);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

interface Properties {
  /** Of those with validators. */
  names: string[];
  /** Undefined for other validators than `CheckedBy`. */
  rules: { name: string; rule?: AnyRule }[];
}

const propertiesByDto = new WeakMap<Type, Properties>();

function propertiesOf(dto: Type): Properties {
  const known = propertiesByDto.get(dto);
  if (known) return known;
  const validators = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const found = {
    names: [...new Set(validators.map(({ propertyName }) => propertyName))],
    rules: validators.map(({ propertyName: name, context }) => ({
      name,
      rule: (context as CheckedByContext | undefined)?.rule,
    })),
  };
  propertiesByDto.set(dto, found);
  return found;
}

/** Problems of our own rules, and the messages of other validators. */
function problemsByField(errors: ValidationError[]): Record<string, (Problem | string)[]> {
  return Object.fromEntries(
    errors.map(({ property, value, target, constraints = {}, contexts = {} }) => [
      property,
      Object.entries(constraints).flatMap(([name, message]) => {
        const context = contexts[name] as CheckedByContext | undefined;
        return context?.rule(value, target as object, undefined) || message;
      }),
    ]),
  );
}

/** What a rule finds wrong with a field. */
export type FieldProblems = Problem | Problem[] | false | undefined;

/** What is wrong with a value, given the other properties of its DTO and what its rules depend on. */
type Rule<Value, Dto, Context> = (value: Value, dto: Dto, context: Context) => FieldProblems;
type AnyRule = Rule<unknown, object, unknown>;

/** What the validation pipe reads from the errors of `CheckedBy`. */
interface CheckedByContext {
  rule: AnyRule;
}

/** Checks a property by a rule. */
export function CheckedBy<Value, Dto extends object, Context>(
  checked: Rule<Value, Dto, Context>,
): PropertyDecorator {
  const rule = checked as AnyRule;
  return ValidateBy(
    {
      name: 'checkedBy',
      validator: {
        validate: (value, args) => !rule(value, (args as ValidationArguments).object, undefined),
        defaultMessage: () => 'is not valid', // class-validator drops the context of an error without a message
      },
    },
    { context: { rule } satisfies CheckedByContext },
  );
}

export interface Bounds {
  min: number;
  max: number;
}

/** A whole number, which forms and many clients send as decimal text. */
export const IntegerField = (bounds: Bounds | ((context: never) => Bounds)) =>
  applyDecorators(
    ConvertedBy(toInteger),
    CheckedBy((value, _dto, context: never) =>
      rangeProblem(value, typeof bounds === 'function' ? bounds(context) : bounds),
    ),
  );

/** A boolean in the spellings that forms and clients use. */
export const BooleanField = () => applyDecorators(ConvertedBy(toBoolean), CheckedBy(booleanProblem));

/** A text of at most `max` characters. */
export const TextField = (max: number) => CheckedBy((value) => textProblem(value, max));

/** Converts a property before it is checked. What cannot be converted is left as it is. */
export const ConvertedBy = (convert: (value: unknown) => unknown) => Transform(({ value }) => convert(value));

/** Null counts as absent. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

export function rangeProblem(value: unknown, range: Bounds): FieldProblems {
  return !isAbsent(value) && !isWholeNumberWithin(value, range) && new Problem('out_of_range', range);
}

export function timeProblem(value: unknown): FieldProblems {
  return !isAbsent(value) && !(value instanceof Date) && new Problem('not_a_time');
}

export function booleanProblem(value: unknown): FieldProblems {
  return !isAbsent(value) && typeof value !== 'boolean' && new Problem('not_a_boolean');
}

export function textProblem(value: unknown, max: number): Problem | undefined {
  return isAbsent(value) ? undefined : textError(value, max);
}

export function isWholeNumberWithin(value: unknown, { min, max }: Bounds): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

const TRUE = ['true', 'on', 'yes', '1', 'checked'];
const FALSE = ['false', 'off', 'no', '0', ''];

/** What scripts send for an absent value. */
const ABSENT = ['', 'None', 'null', 'undefined'];

/** Code units of a text that is converted at all. */
const MAX_SPELLING = 100;

export function toInteger(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_SPELLING) return value;
  if (ABSENT.includes(value)) return undefined;
  return /^[+-]?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
}

export function toBoolean(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value);
  if (text.length > MAX_SPELLING) return value;
  const spelling = text.trim().toLowerCase();
  if (TRUE.includes(spelling)) return true;
  if (FALSE.includes(spelling)) return false;
  return value;
}

/** A time of ISO 8601 to the minute, the second or a part of it. */
const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** A time with its zone. */
export function toTime(value: unknown): unknown {
  if (value === '') return undefined;
  const day = typeof value === 'string' && value.length <= MAX_SPELLING && TIME.exec(value)?.[1];
  if (!day) return value;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) || !isDay(day) ? value : time;
}

/** Such as not 2027-02-29, which would be the 1st of March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
