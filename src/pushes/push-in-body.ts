import { BadRequestException } from '@nestjs/common';
import type { Request } from 'express';
import { parse } from 'qs';
import type { PushKeyOptions } from './push-key.js';

export type PushFields = Record<string, unknown>;

/**
 * The fields of the push that a request brings: those of its body, and those of its query where the body is silent.
 * @throws BadRequestException when there are none, or those of the query cannot be decoded
 */
export function pushInBody({ body, url }: Request, { key, kind }: PushKeyOptions): PushFields {
  const inBody = fieldsUnder(key, body);
  const query = queryOf(url);
  const inQuery = fieldsUnder(key, parse(query, { parameterLimit: Infinity })); // an address is short anyway
  if (inBody === undefined && inQuery === undefined) {
    throw new BadRequestException(`The body must have an object "${key}" with the fields of the push.`);
  }
  if (inQuery) assertDecodable(query);
  return { ...inQuery, ...inBody, ...(kind && { kind }) };
}

function fieldsUnder(key: string, value: unknown): PushFields | undefined {
  const fields = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(fields) && Object.keys(fields).length > 0 ? fields : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Taken from the address, because the router's own parser does not read brackets as nesting. */
function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** What cannot be decoded would be left as it is in silence, `%E9` and all. */
function assertDecodable(query: string): void {
  try {
    decodeURIComponent(query);
  } catch {
    throw new BadRequestException('The address is not well-formed.');
  }
}
