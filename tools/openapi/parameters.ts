import { answer, ref } from './operation.js';

/** For lists and the audit log. */
export const pageNumber = {
  name: 'page',
  in: 'query',
  description: '50 entries per page; a page past the end is empty',
  example: 1,
  schema: { type: 'integer', minimum: 1, maximum: 200, default: 1 },
};

export const auditRange = [
  {
    name: 'after',
    in: 'query',
    description: 'Only entries after the one with this id',
    example: 17,
    schema: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999, default: 0 },
  },
  {
    name: 'limit',
    in: 'query',
    description: 'At most this many entries',
    example: 100,
    schema: { type: 'integer', minimum: 1, maximum: 10_000, default: 1000 },
  },
];

export const passphrase = [
  {
    name: 'passphrase',
    in: 'query',
    description: 'Better sent in the header: URLs end up in logs',
    example: 'open sesame',
    schema: { type: 'string' },
  },
  {
    name: 'X-Push-Passphrase',
    in: 'header',
    description: 'The passphrase in percent-encoded UTF-8; takes precedence over the query',
    example: 'open%20sesame',
    schema: { type: 'string' },
  },
];

const whole = { type: 'string', pattern: '^[0-9]+$' };

/** The headers of a page of a list. */
export const paged = {
  'X-Page': { schema: whole, description: 'This page' },
  'X-Per-Page': { schema: whole, description: 'Entries per page' },
  'X-Total': { schema: whole, description: 'Number of all entries, at most 10000' },
  'X-Total-Pages': { schema: whole, description: '1 to 200' },
  Link: { schema: { type: 'string' }, description: 'RFC 8288: first, prev, next and last page' },
};

export const list = (example: object[]) => ({
  200: answer('The pushes, newest first', { type: 'array', items: ref('OwnPushDto') }, example, paged),
});
