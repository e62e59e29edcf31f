export type Json = Record<string, unknown>;

/** A reference to a schema of the components. */
export function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}
