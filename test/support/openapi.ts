import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from './client.js';

/** The committed description of the API. */
export const document = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** Every operation with each of its statuses, such as `get /api/v2/version 200`. */
export const documentedAnswers: string[] = Object.entries<any>(document.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).flatMap(([method, { responses }]) =>
    Object.keys(responses as object).map((status) => `${method} ${path} ${status}`),
  ),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', components: closed(document.components) });

/** What is wrong with an answer, by the description; a key that is not described is wrong too. */
export function faultsOf(method: string, path: string, { status, headers, body }: Answer): unknown[] {
  const described = document.paths[path]?.[method]?.responses[status];
  if (!described) return [`${method} ${path} ${status} is not described`];

  const missing = Object.keys((described.headers ?? {}) as object).filter((name) => !headers.has(name));
  const faults: unknown[] = missing.map((name) => `no header ${name}`);
  const schema = described.content?.['application/json']?.schema;
  if (method === 'head') return body === '' ? faults : [...faults, 'a body'];
  if (!schema) return faults;

  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
  const validate = ajv.compile(JSON.parse(text));
  return validate(body) ? faults : [...faults, ...(validate.errors ?? [])];
}

function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema as object).map(([key, value]) => [key, closed(value)]),
  );
  const isShape = inner.type === 'object' && inner.properties && inner.additionalProperties === undefined;
  return isShape ? { ...inner, additionalProperties: false } : inner;
}
