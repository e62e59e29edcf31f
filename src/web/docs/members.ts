import type { Schema } from './open-api.js';

/** A field of a schema, by its path from the root, such as `push.files[].filename`. */
export interface Member {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** All fields of a schema, those of nested objects and lists too. References are left to their own sections. */
export function membersOf(schema: Schema, prefix = ''): Member[] {
  if (schema.items) return membersOf(schema.items, `${prefix}[]`);
  const named = Object.entries(schema.properties ?? {}).map(([key, property]) => ({ key, property }));
  const others = schema.additionalProperties
    ? [{ key: '(any name)', property: schema.additionalProperties }]
    : [];
  return [...named, ...others].flatMap(({ key, property }) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const isRequired = schema.required?.includes(key) ?? false;
    return [{ name, schema: property, isRequired }, ...membersOf(property, name)];
  });
}
