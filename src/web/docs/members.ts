import type { Schema } from './open-api.js';

/** A field of a schema, by its path from the root, such as `push.files[].filename`. */
interface Member {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/**
 * All fields of a schema, those of nested objects and lists too. References are left to their own sections.
 * @param anyName stands for the name of a field that may have any
 */
export function membersOf(schema: Schema, anyName: string, prefix = ''): Member[] {
  if (schema.items) return membersOf(schema.items, anyName, `${prefix}[]`);
  const named = Object.entries(schema.properties ?? {}).map(([key, property]) => ({ key, property }));
  const others = schema.additionalProperties ? [{ key: anyName, property: schema.additionalProperties }] : [];
  return [...named, ...others].flatMap(({ key, property }) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const isRequired = schema.required?.includes(key) ?? false;
    return [{ name, schema: property, isRequired }, ...membersOf(property, anyName, name)];
  });
}
