export type Json = Record<string, unknown>;

/** A reference to a schema of the components. */
export function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

/** A schema of the components with more properties. */
export function extending(schema: string, properties: object, required?: string[]): Json {
  return { type: 'object', allOf: [ref(schema), { properties, required }] };
}
