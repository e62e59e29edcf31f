import { TICKET } from './examples.js';
import { URL_TOKEN } from './push-fields.js';
import type { Json } from './references.js';

/** What `{prefix}` and `{kind_prefix}` in a path stand for. */
export const PREFIXES = { prefix: ['p', 'f', 'r'], kind_prefix: ['f', 'r'] };

/** Parameters of several operations, by their names. */
export const PARAMETERS = {
  url_token: inPath('url_token', 'Identifies the push or the request', URL_TOKEN),
  ticket: inPath('ticket', 'From the URL of a file in a retrieved push', TICKET),
  id: inPath(
    'id',
    'Identifies the upload: the end of its URL',
    'kS5v3Q0m2y8rT1uXw4zB7cD9eF6gH0jL3nP5qR8sU2A',
    {
      pattern: '^[A-Za-z0-9_-]{43}$',
    },
  ),
  locale: inPath('locale', 'A locale that a client puts into its links; it has no effect', 'pt-BR', {
    pattern: '^[a-z]{2}(-[A-Z]{2})?$',
  }),
  prefix: inPath('prefix', 'Each of them works for pushes of every kind', 'p', { enum: PREFIXES.prefix }),
  kind_prefix: inPath('kind_prefix', 'Each of them works for pushes of every kind', 'f', {
    enum: PREFIXES.kind_prefix,
  }),
  page: {
    name: 'page',
    in: 'query',
    description: '50 entries per page; a page past the end is empty',
    example: 1,
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 1 },
  },
  passphrase: {
    name: 'passphrase',
    in: 'query',
    description: 'Better sent in the header: URLs end up in logs',
    example: 'open sesame',
    schema: { type: 'string' },
  },
  'X-Push-Passphrase': {
    name: 'X-Push-Passphrase',
    in: 'header',
    description: 'The passphrase in percent-encoded UTF-8; takes precedence over the query',
    example: 'open%20sesame',
    schema: { type: 'string' },
  },
  'X-Push-Recipient': {
    name: 'X-Push-Recipient',
    in: 'header',
    description: 'The email address of a recipient in percent-encoded UTF-8, for a push that names them',
    example: 'ada@example.org',
    schema: { type: 'string' },
  },
  'X-Push-Code': {
    name: 'X-Push-Code',
    in: 'header',
    description: 'The code that was sent to this address',
    example: '04217733',
    schema: { type: 'string', pattern: '^[0-9]{8}$' },
  },
};

/** A reference to one of these parameters. */
export function parameter(name: keyof typeof PARAMETERS): Json {
  return { $ref: `#/components/parameters/${name}` };
}

function inPath(name: string, description: string, example: string, limits = {}): Json {
  return { name, in: 'path', required: true, description, example, schema: { type: 'string', ...limits } };
}

/** For the audit log of all pushes. */
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
