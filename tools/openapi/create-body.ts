import { body, formOf, inForm, under, withFiles } from './bodies.js';
import { GIVEN } from './push-fields.js';
import type { Json } from './references.js';
import { extending, ref } from './references.js';

const file = {
  type: 'object',
  required: ['filename', 'content'],
  properties: {
    filename: { type: 'string' },
    content_type: { type: 'string' },
    content: { type: 'string', contentEncoding: 'base64' },
  },
};
const fileOfForm = { type: 'string', contentMediaType: 'application/octet-stream' };

const FIELDS = { ...GIVEN, files: { type: 'array', items: file, description: 'At most 10 by default' } };

/**
 * Schemas of pushes in requests, and of their fields. Pushes created as `file_push` or as `url` are all of one kind, and
 * the latter have no more than the common fields.
 */
export const NEW_PUSHES: Record<string, Json> = {
  NewPushFields: {
    type: 'object',
    minProperties: 1,
    properties: { ...fieldsWithout('kind', 'client_encrypted'), files: fieldRef('files') },
  },
  NewFilePush: extending('NewPushFields', { client_encrypted: fieldRef('client_encrypted') }),
  NewPush: extending('NewPushFields', {
    kind: fieldRef('kind'),
    client_encrypted: fieldRef('client_encrypted'),
  }),
  PushForm: formOf('push', fieldsWithout()),
  PasswordForm: formOf('password', fieldsWithout()),
  FilePushForm: formOf('file_push', fieldsWithout('kind')),
  UrlForm: formOf('url', fieldsWithout('kind', 'client_encrypted')),
  FormFiles: { type: 'array', items: fileOfForm },
  ...Object.fromEntries(Object.entries(FIELDS).map(([field, schema]) => [schemaName(field), schema])),
};

/** The schemas of an object with this key, and of a form with its fields. */
const SCHEMAS_OF = {
  push: ['NewPush', 'PushForm'],
  password: ['NewPush', 'PasswordForm'],
  file_push: ['NewFilePush', 'FilePushForm'],
  url: ['NewPushFields', 'UrlForm'],
} as const;

const text = { payload: 'correct horse', expire_after_days: 2, expire_after_views: 1, note: 'for Ada' };
const exampleWithFile = {
  files: [{ filename: 'a.txt', content_type: 'text/plain', content: 'dHVsaXA=' }],
  passphrase: 'open sesame',
};

/**
 * The request body of a path that creates pushes.
 * @param key the name of the object with the fields
 */
export function createBody(key: keyof typeof SCHEMAS_OF): Json {
  const [schema, form] = SCHEMAS_OF[key];
  const example = key === 'url' ? { ...text, payload: 'https://example.org/' } : text;
  const examples = {
    ...(key !== 'file_push' && { text: { summary: 'A text', value: { [key]: example } } }),
    ...(key !== 'url' && { file: { summary: 'A file and a passphrase', value: { [key]: exampleWithFile } } }),
  };
  return body(
    { schema: under(key, ref(schema)), examples },
    { schema: ref(form), example: inForm(key, example) },
    { schema: withFiles(key, form), example: inForm(key, example) },
  );
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
export const changeBody = body(
  {
    schema: under('push', { type: 'object', minProperties: 1, properties: changes }),
    example: { push: changed },
  },
  { schema: formOf('push', changes), example: inForm('push', changed) },
);

function fieldsWithout(...absent: string[]): Record<string, Json> {
  const names = Object.keys(GIVEN).filter((name) => !absent.includes(name));
  return Object.fromEntries(names.map((name) => [name, fieldRef(name)]));
}

/** A reference to the schema of a field. */
export function fieldRef(field: string): Json {
  return ref(schemaName(field));
}

/** Such as `NewPushExpireAfterDays`. */
function schemaName(field: string): string {
  return `NewPush${field.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}`;
}
