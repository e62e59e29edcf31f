import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';

const TRUE = ['true', 'on', 'yes', '1', 'checked'];
const FALSE = ['false', 'off', 'no', '0', ''];

/** What scripts send for an absent value. */
const ABSENT = ['', 'None', 'null', 'undefined'];

/** An integer, which forms and many clients send as decimal text. The validators check other values. */
export const IntegerField = () => Transform(({ value }) => toInteger(value));

/** A boolean in the spellings that forms and clients use. The validators check other values. */
export const BooleanField = () => Transform(({ value }) => toBoolean(value));

/** A text that is absent when it is empty. */
export const EmptyIsAbsent = () => Transform(({ value }): unknown => (value === '' ? undefined : value));

/**
 * A value that class-transformer does not copy. Without `Type` it would copy the value before calling `Transform`; only
 * the type `Boolean` accepts any value.
 */
export const Untransformed = () =>
  applyDecorators(
    Type(() => Boolean),
    Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]),
  );

export function toInteger(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (ABSENT.includes(value)) return undefined;
  return /^[+-]?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
}

export function toBoolean(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const spelling = String(value).trim().toLowerCase();
  if (TRUE.includes(spelling)) return true;
  if (FALSE.includes(spelling)) return false;
  return value;
}
