import { PUSH_KINDS } from '../../src/pushes/push-kind.js';

const text = (description: string, maxLength: number) => ({ type: 'string', maxLength, description });
const flag = (description: string) => ({ type: 'boolean', description });
const whole = (minimum: number, maximum: number, description: string) => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});

const fields = {
  payload: {
    type: 'string',
    description:
      'The secret: text of 1 to 1,048,576 characters, an http or https URL of at most 8192, or 1 to 1024 for a QR code. ' +
      'Required for every kind except `file`.',
    examples: ['correct horse'],
  },
  kind: {
    type: 'string',
    enum: PUSH_KINDS,
    description:
      'Kinds may be disabled: see GET /api/v2/version. Default: text, or file when there are files',
  },
  expire_after_days: whole(1, 36_500, '1 to 90, default 7, unless the installation sets other bounds'),
  expire_after_views: whole(1, 1_000_000, '1 to 100, default 5, unless the installation sets other bounds'),
  expire_after_duration: whole(0, 17, 'Another way to set the lifetime, on a scale; see docs/api.md'),
  deletable_by_viewer: flag('Lets anyone who has the URL delete it'),
  retrieval_step: flag('Makes the page ask for a confirmation first'),
  passphrase: text('Required to retrieve', 255),
  name: text('A label that only the owner sees', 255),
  note: text('A note that only the owner sees', 2000),
};

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
  const known = isOfOneKind ? { ...fields, kind: undefined } : fields;
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
