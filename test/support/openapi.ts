import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ValidateFunction } from 'ajv';
import { withoutReferences } from '../../src/web/docs/references.js';
import type { ClientResponse } from './client.js';

/** The committed OpenAPI document. */
export const document = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** The same without references. */
export const resolved: any = withoutReferences(document);

/** The paths of the document without references, each once for every value of a parameter in it that lists its values. */
export const paths: Record<string, any> = Object.fromEntries(
  Object.entries<any>(resolved.paths).flatMap(([path, item]) => {
    const [operation] = Object.values<any>(item as object);
    const listed = operation.parameters?.find((it: any) => it.in === 'path' && it.schema.enum);
    const values: string[] = listed?.schema.enum ?? [''];
    return values.map((value) => [path.replace(`{${listed?.name}}`, value), item]);
  }),
);

/** Every operation with each of its statuses, such as `get /api/v2/version 200`. */
export const documentedResponses: string[] = Object.entries<any>(paths).flatMap(([path, item]) =>
  Object.entries<any>(item).flatMap(([method, { responses }]) =>
    Object.keys(responses as object).map((status) => `${method} ${path} ${status}`),
  ),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', components: closed(resolved.components) });

/** The example response bodies of a status, of all operations. */
export function examplesOf(status: number): unknown[] {
  return Object.values<any>(paths)
    .flatMap((item) => Object.values<any>(item as object))
    .flatMap(({ responses }) => responses[status]?.content?.['application/json']?.example ?? []);
}

/** How a response differs from the OpenAPI document; undocumented keys count as errors too. */
export function errorsOf(method: string, path: string, { status, headers, body }: ClientResponse): unknown[] {
  const described = paths[path]?.[method]?.responses[status];
  if (!described) return [`${method} ${path} ${status} is not documented`];

  const missing = Object.keys((described.headers ?? {}) as object).filter((name) => !headers.has(name));
  const errors: unknown[] = missing.map((name) => `no header ${name}`);
  const schema = described.content?.['application/json']?.schema;
  if (method === 'head') return body === '' ? errors : [...errors, 'a body'];
  if (!schema) return errors;

  return [...errors, ...errorsBy(schema, body)];
}

function errorsBy(schema: unknown, value: unknown): unknown[] {
  const validate = validatorOf(schema);
  return validate(value) ? [] : (validate.errors ?? []);
}

const validators = new Map<unknown, ValidateFunction>();

/** Compiled once, because compiling takes longer than the request. */
function validatorOf(schema: unknown): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
  const validate = validators.get(schema) ?? ajv.compile(JSON.parse(text));
  validators.set(schema, validate);
  return validate;
}

/** How the examples of all operations differ from their schemas; a JSON or form body without an example is an error too. */
export function errorsOfExamples(): unknown[] {
  return Object.values<any>(paths)
    .flatMap((item) => Object.values<any>(item as object))
    .flatMap((operation) => [
      ...[operation.requestBody ?? {}, ...Object.values<any>(operation.responses as object)].flatMap(
        ({ content = {} }) => Object.entries<any>(content as object),
      ),
      ...(operation.parameters ?? []).map((parameter: unknown) => ['parameter', parameter]),
    ])
    .flatMap(([type, { schema, example, examples }]) => {
      if (type === 'application/octet-stream') return [];
      const values = Object.values<any>((examples ?? {}) as object).map(({ value }) => value as unknown);
      const given = example === undefined ? values : [example];
      return given.length === 0 ? [{ type, schema }] : given.flatMap((value) => errorsBy(schema, value));
    });
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
