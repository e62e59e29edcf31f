import type { OpenApiDocument, Schema } from './open-api.js';

const SCHEMAS = '#/components/schemas/';

/**
 * The document with what each reference refers to in its place, and with each `allOf` as one schema. References to
 * objects remain, except in bodies of requests: their schemas have sections of their own.
 */
export function withoutReferences(document: OpenApiDocument): OpenApiDocument {
  const targetOf = (reference: string): unknown =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
  const targetIn = (part: Schema): unknown => (part.$ref === undefined ? part : targetOf(part.$ref));
  const isObject = (reference: string): boolean =>
    reference.startsWith(SCHEMAS) && (targetOf(reference) as Schema).type === 'object';

  const resolved = (value: unknown, isInBody: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolved(item, isInBody));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, allOf } = value as Schema;
    if ($ref !== undefined) return isObject($ref) && !isInBody ? value : resolved(targetOf($ref), isInBody);
    if (allOf) return united(allOf.map((part) => resolved(targetIn(part), isInBody) as Schema));
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, resolved(part, isInBody || key === 'requestBody')]),
    );
  };
  return resolved(document, false) as OpenApiDocument;
}

/** One schema with the properties of all. */
function united(schemas: Schema[]): Schema {
  return {
    type: 'object',
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)) as Record<string, Schema>,
    required: schemas.flatMap(({ required = [] }) => required),
  };
}
