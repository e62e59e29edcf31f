import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';

const TRUE = ['true', 'on', 'yes', '1', 'checked'];
const FALSE = ['false', 'off', 'no', '0', ''];

/** What scripts send for nothing. */
const NOTHING = ['', 'None', 'null', 'undefined'];

/** An integer, which forms and many clients send as decimal text. Other values are left to the validators. */
export const WireInteger = () => Transform(({ value }) => toInteger(value));

/** A boolean in the spellings that forms and clients use. Other values are left to the validators. */
export const WireBoolean = () => Transform(({ value }) => toBoolean(value));

/** A text that is absent when it is empty. */
export const EmptyIsAbsent = () => Transform(({ value }): unknown => (value === '' ? undefined : value));

/**
 * A value that class-transformer does not copy. Without the type it would copy first and call `Transform` then; of the
 * types, only this one takes whatever is sent.
 */
export const AsSent = () =>
  applyDecorators(
    Type(() => Boolean),
    Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]),
  );

export function toInteger(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (NOTHING.includes(value)) return undefined;
  return /^[+-]?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
}

export function toBoolean(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const spelling = String(value).trim().toLowerCase();
  if (TRUE.includes(spelling)) return true;
  if (FALSE.includes(spelling)) return false;
  return value;
}
