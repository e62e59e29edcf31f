import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Problem } from '../../errors/problem.js';
import { textError } from './text-error.js';
import type { FieldProblems } from './validation.pipe.js';
import { CheckedBy } from './validation.pipe.js';

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
