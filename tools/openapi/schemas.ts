import { PUSH_KINDS } from '../../src/pushes/push-kind.js';
import { ref } from './operation.js';

const time = { type: 'string', format: 'date-time', examples: ['2026-01-01T01:00:00.000Z'] };
const address = { type: 'string', format: 'uri' };
const count = { type: 'integer', minimum: 0 };
const sentence = { type: 'string', examples: ['A valid API token is needed.'] };

/** Facts that types cannot express, by property name; a name means the same nearly everywhere. */
export const PROPERTIES: Record<string, object> = {
  url_token: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{22,64}$',
    description: 'Identifies the push in URLs',
  },
  expired: { type: 'boolean', description: 'Whether it has ended' },
  expired_on: { type: ['string', 'null'], format: 'date-time', description: 'When it ended' },
  deleted: {
    type: 'boolean',
    description: 'Whether someone deleted it; false when it ended only by a limit',
  },
  expire_after_views: { ...count, description: 'How many views it allows' },
  views_remaining: { ...count, description: '`expire_after_views` minus the views counted' },
  expire_after_days: { ...count, description: 'How many days it lives' },
  days_remaining: { ...count, description: 'Days until `expires_at`, rounded up' },
  expires_at: { ...time, description: 'When it expires by age' },
  created_at: time,
  updated_at: { ...time, description: 'When it was last created, viewed or ended' },
  deletable_by_viewer: { type: 'boolean', description: 'Whether anyone who has the URL may delete it' },
  retrieval_step: { type: 'boolean', description: 'Whether the page asks for a confirmation first' },
  passphrase: { type: 'null', description: 'Never returned' },
  passphrase_required: { type: 'boolean', description: 'Whether retrieving needs a passphrase' },
  html_url: { ...address, description: 'For people' },
  json_url: { ...address, description: 'For programs' },
  kind: { type: 'string', enum: PUSH_KINDS },
  payload: {
    type: ['string', 'null'],
    description: 'The secret; null once expired',
    examples: ['correct horse'],
  },
  name: { type: 'string', description: '"" when there is none' },
  note: { type: 'string', description: '"" when there is none' },
  url: address,
};

/** Properties whose name has another meaning in this schema. */
export const EXCEPTIONS: Record<string, Record<string, object>> = {
  AuditEntryDto: {
    kind: {
      type: 'string',
      enum: ['creation', 'view', 'owner_view', 'failed_view', 'failed_passphrase', 'expire', 'file_download'],
    },
  },
};

/** Schemas without a class in the code. */
export const SCHEMAS = {
  Introduction: {
    type: 'object',
    required: ['v2', 'v1', 'documentation'],
    properties: { v2: address, v1: address, documentation: address },
  },
  AuditLog: {
    type: 'object',
    required: ['logs'],
    properties: { logs: { type: 'array', items: ref('AuditEntryDto') } },
  },
  LegacyAuditLog: {
    type: 'object',
    required: ['views'],
    properties: { views: { type: 'array', items: ref('AuditEntryDto') } },
  },
  LegacyVersion: {
    type: 'object',
    required: ['application_version', 'api_version', 'edition'],
    properties: {
      application_version: { type: 'string' },
      api_version: { type: 'string', const: '1.5' },
      edition: { type: 'string', const: 'oss' },
    },
  },
  Error: { type: 'object', required: ['error'], properties: { error: sentence } },
  Unauthorized: {
    type: 'object',
    description: 'For a missing or wrong passphrase, `message` and `status` are present as well.',
    required: ['error'],
    properties: {
      error: sentence,
      message: { type: 'string' },
      status: { type: 'string', const: 'unauthorized' },
    },
  },
  ValidationErrors: {
    type: 'object',
    description: 'The errors of each field.',
    minProperties: 1,
    additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
    examples: [{ expire_after_days: ['must be a whole number from 1 to 90'] }],
  },
  Unavailable: {
    type: 'object',
    description: 'GET /ready also returns the failed checks.',
    required: ['error'],
    properties: { error: sentence, ready: { type: 'boolean', const: false }, checks: ref('Readiness') },
  },
  Readiness: {
    type: 'object',
    required: ['database', 'writes', 'migrations', 'keys', 'store'],
    properties: {
      database: { type: 'boolean' },
      writes: { type: 'boolean' },
      migrations: { type: 'boolean' },
      keys: { type: 'boolean' },
      store: { type: 'boolean' },
    },
  },
  Up: { type: 'object', required: ['up'], properties: { up: { type: 'boolean', const: true } } },
  Ready: {
    type: 'object',
    required: ['ready', 'checks'],
    properties: { ready: { type: 'boolean', const: true }, checks: ref('Readiness') },
  },
};
