import { GIVEN } from './push-fields.js';
import { ref } from './references.js';

const file = {
  type: 'object',
  required: ['filename', 'content'],
  properties: {
    filename: { type: 'string' },
    content_type: { type: 'string' },
    content: { type: 'string', contentEncoding: 'base64' },
  },
};

export const FILES_IN_JSON = { type: 'array', items: file, description: 'At most 10 by default' };

/** The files of a multipart form, by the name of their field. */
export const filesInForm = (key: string) => ({
  [`${key}[files][]`]: {
    type: 'array',
    items: { type: 'string', contentMediaType: 'application/octet-stream' },
  },
});

/** The fields of each schema of a push in a request. Pushes created as `file_push` or as `url` are all of one kind. */
const FIELDS = {
  NewPush: fieldsWithout(),
  NewFilePush: fieldsWithout('kind'),
  NewUrlPush: fieldsWithout('kind', 'client_encrypted'),
};

/** Schemas of pushes in requests, and of their fields. Files are different in each encoding. */
export const NEW_PUSHES: Record<string, object> = {
  ...Object.fromEntries(
    Object.entries(FIELDS).map(([name, fields]) => [
      name,
      { type: 'object', minProperties: 1, properties: { ...fields, files: fieldRef('files') } },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ ...GIVEN, files: FILES_IN_JSON }).map(([field, schema]) => [schemaName(field), schema]),
  ),
};

const SCHEMA_OF = {
  push: 'NewPush',
  password: 'NewPush',
  file_push: 'NewFilePush',
  url: 'NewUrlPush',
} as const;

const example = { payload: 'correct horse', expire_after_days: 2, expire_after_views: 1, note: 'for Ada' };
const exampleWithFile = {
  files: [{ filename: 'a.txt', content_type: 'text/plain', content: 'dHVsaXA=' }],
  passphrase: 'open sesame',
};

/**
 * The request body of a path that creates pushes. Integers and booleans may be strings in every encoding.
 * @param key the name of the object with the fields
 */
export function createBody(key: keyof typeof SCHEMA_OF) {
  const schema = SCHEMA_OF[key];
  const form = inForm(key, FIELDS[schema]);
  const text = key === 'url' ? { ...example, payload: 'https://example.org/' } : example;
  const ofText = { text: { summary: 'A text', value: { [key]: text } } };
  const ofFile = { file: { summary: 'A file and a passphrase', value: { [key]: exampleWithFile } } };
  return {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', required: [key], properties: { [key]: ref(schema) } },
        examples: { ...(key !== 'file_push' && ofText), ...(key !== 'url' && ofFile) },
      },
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: form },
        example: inForm(key, text),
      },
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            ...form,
            ...filesInForm(key),
          },
        },
        example: inForm(key, text),
      },
    },
  };
}

const changed = { expire_after_views: 2, expires_at: '2026-01-02T09:00:00Z' };
const changes = {
  expire_after_views: fieldRef('expire_after_views'),
  expires_at: { type: 'string', format: 'date-time', description: 'An earlier end' },
  expire_after_days: fieldRef('expire_after_days'),
  expire_after_duration: fieldRef('expire_after_duration'),
  recipients: fieldRef('recipients'),
};

/** The request body that changes a push. */
export const changeBody = {
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['push'],
        properties: { push: { type: 'object', minProperties: 1, properties: changes } },
      },
      example: { push: changed },
    },
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', properties: inForm('push', changes) },
      example: inForm('push', changed),
    },
  },
};

export function inForm(key: string, values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${key}[${name}]`, value]));
}

function fieldsWithout(...absent: string[]): Record<string, object> {
  const names = Object.keys(GIVEN).filter((name) => !absent.includes(name));
  return Object.fromEntries(names.map((name) => [name, fieldRef(name)]));
}

/** A reference to the schema of a field. */
export function fieldRef(field: string) {
  return ref(schemaName(field));
}

/** Such as `NewPushExpireAfterDays`. */
function schemaName(field: string): string {
  return `NewPush${field.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}`;
}
