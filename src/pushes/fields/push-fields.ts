import { BadRequestException } from '@nestjs/common';
import { parse } from 'qs';
import { Transform } from 'class-transformer';
import type { PushKind } from '../../shared/push-kind.js';
import { Problem } from '../../platform/errors/problem.js';
import { FORM_FIELDS } from '../../platform/http/body/body-limits.js';

/** The fields of a push by their names in the API, not validated. */
export type PushFields = Record<string, unknown>;

/** The key of the push in a route's body, and the kind that the route sets, whatever the body says. */
export interface BodyRoot {
  key: string;
  kind?: PushKind;
}

/**
 * The fields of the push in a request: those of its body, and those of its query that the body does not have.
 * @param url path and query
 * @throws BadRequestException when there are none, or those of the query cannot be decoded
 */
export function pushFields(body: unknown, url: string, { key, kind }: BodyRoot): PushFields {
  const inBody = fieldsUnder(key, body);
  const inQuery = pushInQuery(key, url);
  if (inBody === undefined && inQuery === undefined) {
    throw new BadRequestException(new Problem('push_missing', { key }));
  }
  return { ...inQuery, ...inBody, ...(kind && { kind }) };
}

/** What the length of a URL allows; a list that is longer than `arrayLimit` would become an object. */
const QUERY_OPTIONS = { parameterLimit: Infinity, arrayLimit: FORM_FIELDS };

/** Parsed from the URL, because the router's parser does not treat brackets as nesting. */
function pushInQuery(key: string, url: string): PushFields | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const query = url.slice(start + 1);
  const fields = fieldsUnder(key, parse(query, QUERY_OPTIONS));
  if (fields) assertDecodable(query);
  return fields;
}

/** The fields under the key of the push; undefined when there are none. */
export function fieldsUnder(key: string, value: unknown): PushFields | undefined {
  const fields = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(fields) && Object.keys(fields).length > 0 ? fields : undefined;
}

/** The fields of a form that is shown again: those under the key of the push, or of the body if it was not parsed so. */
export function fieldsRead(key: string, body: unknown): PushFields {
  const whole = (body ?? {}) as PushFields;
  return (whole[key] ?? whole) as PushFields;
}

/** Null counts as absent. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Otherwise, what cannot be decoded, such as `%E9`, would silently be left as it is. */
function assertDecodable(query: string): void {
  try {
    decodeURIComponent(query);
  } catch {
    throw new BadRequestException(new Problem('address_malformed'));
  }
}

const TRUE = ['true', 'on', 'yes', '1', 'checked'];
const FALSE = ['false', 'off', 'no', '0', ''];

/** What scripts send for an absent value. */
const ABSENT = ['', 'None', 'null', 'undefined'];

/** Code units of a text that is converted at all. */
const MAX_SPELLING = 100;

/** An integer, which forms and many clients send as decimal text. The validators check other values. */
export const IntegerField = () => Transform(({ value }) => toInteger(value));

/** A boolean in the spellings that forms and clients use. The validators check other values. */
export const BooleanField = () => Transform(({ value }) => toBoolean(value));

/** A time with its zone, as a `Date`. The validators check other values. */
export const TimeField = () => Transform(({ value }) => toTime(value));

/** A text that is absent when it is empty. */
export const EmptyIsAbsent = () => Transform(({ value }): unknown => (value === '' ? undefined : value));

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

function toTime(value: unknown): unknown {
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
