import { BadRequestException } from '@nestjs/common';
import type { Request } from 'express';
import { parse } from 'qs';
import type { PushKeyOptions } from './push-key.js';

export type PushFields = Record<string, unknown>;

/**
 * The fields of the push that a request brings: those of its body, and those of its query where the body is silent.
 * @throws BadRequestException when there are none
 */
export function pushInBody({ body, url }: Request, { key, kind }: PushKeyOptions): PushFields {
  const inBody = fieldsUnder(key, body);
  const inQuery = fieldsUnder(key, queryOf(url));
  if (inBody === undefined && inQuery === undefined) {
    throw new BadRequestException(`The body must have an object "${key}" with the fields of the push.`);
  }
  return { ...inQuery, ...inBody, ...(kind && { kind }) };
}

function fieldsUnder(key: string, value: unknown): PushFields | undefined {
  const fields = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(fields) && Object.keys(fields).length > 0 ? fields : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** With brackets read as nesting, unlike the router does. */
function queryOf(url: string): unknown {
  const start = url.indexOf('?');
  return start < 0 ? undefined : parse(url.slice(start + 1));
}
