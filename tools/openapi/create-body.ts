import { GIVEN } from './push-fields.js';

const file = {
  type: 'object',
  required: ['filename', 'content'],
  properties: {
    filename: { type: 'string' },
    content_type: { type: 'string' },
    content: { type: 'string', contentEncoding: 'base64' },
  },
};

const example = { payload: 'correct horse', expire_after_days: 2, expire_after_views: 1, note: 'for Ada' };
const exampleWithFile = {
  files: [{ filename: 'a.txt', content_type: 'text/plain', content: 'dHVsaXA=' }],
  passphrase: 'open sesame',
};

/**
 * The request body of a path that creates pushes. Integers and booleans may be strings in every encoding.
 * @param key the name of the object with the fields. Pushes created as `file_push` or as `url` are all of one kind.
 */
export function createBody(key: 'push' | 'password' | 'file_push' | 'url') {
  const isOfOneKind = key === 'file_push' || key === 'url';
  const isEncryptable = key !== 'url';
  const known = {
    ...GIVEN,
    ...(isOfOneKind && { kind: undefined }),
    ...(!isEncryptable && { client_encrypted: undefined }),
  };
  const text = key === 'url' ? { ...example, payload: 'https://example.org/' } : example;
  const texts = { text: { summary: 'A text', value: { [key]: text } } };
  const files = { file: { summary: 'A file and a passphrase', value: { [key]: exampleWithFile } } };
  return {
    required: true,
    content: {
      'application/json': {
        schema: inJson(key, known),
        examples: { ...(key !== 'file_push' && texts), ...(key !== 'url' && files) },
      },
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: inForm(key, known) },
        example: inForm(key, text),
      },
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            ...inForm(key, known),
            [`${key}[files][]`]: {
              type: 'array',
              items: { type: 'string', contentMediaType: 'application/octet-stream' },
            },
          },
        },
        example: inForm(key, text),
      },
    },
  };
}

function inJson(key: string, known: object) {
  return {
    type: 'object',
    required: [key],
    properties: {
      [key]: {
        type: 'object',
        minProperties: 1,
        properties: {
          ...known,
          files: { type: 'array', items: file, description: 'At most 10 by default' },
        },
      },
    },
  };
}

function inForm(key: string, values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${key}[${name}]`, value]));
}
