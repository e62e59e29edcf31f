import type { PipeTransform } from '@nestjs/common';
import { BadRequestException, createParamDecorator, Injectable } from '@nestjs/common';
import { parse } from 'qs';
import type { Request, Response } from 'express';
import type { PushKind } from '../../shared/push-kind.js';
import { Problem } from '../../platform/errors/problem.js';
import { FORM_FIELDS, SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';

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

interface ShortBodyOf {
  request: Request;
  response: Response;
  /** Where the fields are; undefined when they are at the top. */
  root?: BodyRoot;
}

/** Reads the fields of a short body. They are not validated yet. */
@Injectable()
class ShortBodyPipe implements PipeTransform<ShortBodyOf, Promise<PushFields>> {
  constructor(private readonly reader: BodyReader) {}

  async transform({ request, response, root }: ShortBodyOf): Promise<PushFields> {
    const body = await this.reader.jsonOrForm(request, response, {
      jsonLimit: SHORT_FORM_LIMIT,
      formLimit: SHORT_FORM_LIMIT,
      types: ['application/json', 'application/x-www-form-urlencoded'],
    });
    if (root) return pushFields(body, request.url, root);
    return isObject(body) ? body : {};
  }
}

const BodyOf = createParamDecorator((root: BodyRoot | undefined, context): ShortBodyOf => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>(), root };
});

/** Parameter decorator: the fields of a short body. */
export const ShortBody = (root?: BodyRoot) => BodyOf(root, ShortBodyPipe);
