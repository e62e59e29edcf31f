import type { Json } from './references.js';
import { extending, ref } from './references.js';

/** The fields of an object under this key by their names in a form, such as `push[payload]`. */
export function inForm(key: string, values: object): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${key}[${name}]`, value]));
}

/** The schema of a form with these fields. */
export function formOf(key: string, fields: object): Json {
  return { type: 'object', properties: inForm(key, fields) };
}

/** The schema of a multipart form that also has files. */
export function withFiles(key: string, form: string): Json {
  return extending(form, { [`${key}[files][]`]: ref('FormFiles') });
}

/** The schema of an object with another one under this key. */
export function under(key: string, schema: Json): Json {
  return { type: 'object', required: [key], properties: { [key]: schema } };
}

interface MediaType {
  schema: Json;
  example?: unknown;
  examples?: Json;
}

/** A request body. Integers and booleans may be strings in every encoding. */
export function body(json: MediaType, form: MediaType, multipart?: MediaType): Json {
  return {
    required: true,
    content: {
      'application/json': json,
      'application/x-www-form-urlencoded': form,
      ...(multipart && { 'multipart/form-data': multipart }),
    },
  };
}
