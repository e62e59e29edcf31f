import { GENERATED_TYPES, WORD_LANGUAGES } from '../../src/shared/generator.js';
import { PUSH_KINDS } from '../../src/shared/push-kind.js';
import { RETURNED } from './push-fields.js';
import { ref } from './references.js';
import { OF_REQUESTS } from './request-fields.js';
import { address, flag, list } from './value-types.js';

const sentence = { type: 'string', examples: ['A valid API token is needed.'] };

/** Facts that types cannot express, by property name; a name means the same nearly everywhere. */
export const PROPERTIES: Record<string, object> = { ...RETURNED, url: address };

const auditKind = {
  type: 'string',
  enum: [
    'creation',
    'view',
    'owner_view',
    'failed_view',
    'failed_passphrase',
    'failed_code',
    'code_refused',
    'expire',
    'file_download',
    'creation_email_send',
  ],
};

const sha256 = { type: 'string', pattern: '^[0-9a-f]{64}$' };

/** Properties whose name has another meaning in this schema. */
export const EXCEPTIONS: Record<string, Record<string, object>> = {
  ...OF_REQUESTS,
  AuditEntryDto: { kind: auditKind },
  AuditEntryWithMailsDto: {
    kind: auditKind,
    recipient: {
      type: 'string',
      description: 'The email address of the recipient who opened it; absent unless one did',
    },
    entered_email: {
      type: 'string',
      description:
        'The email address that somebody entered who was refused, which can be any; absent otherwise',
    },
  },
  GeneratedDto: {
    type: { type: 'string', enum: [...GENERATED_TYPES] },
    language: { type: 'string', enum: [...WORD_LANGUAGES] },
    entropy_bits: { type: 'number', minimum: 0 },
  },
  VersionDto: {
    recipients: flag('Whether pushes may name who can open them'),
  },
  NotifyByEmailDto: {
    recipients: { type: 'string', description: 'The text of the request that named them' },
    locale: { type: ['string', 'null'] },
    status: { type: 'string', enum: ['pending', 'processing', 'completed', 'partially_failed', 'failed'] },
    error_message: { type: 'string', description: 'Why mails are not sent, or not yet' },
    successful_sends: {
      type: ['string', 'null'],
      description: 'The addresses of the mails that were sent, with commas between them',
    },
    proceed_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When a mail of them was last attempted',
    },
  },
  CreatedPushDto: {
    notify_emails_to: list('As it was sent; absent, like the locale, when nobody was named'),
    notify_emails_to_locale: { type: ['string', 'null'] },
  },
  AuditLineDto: {
    id: {
      type: 'integer',
      minimum: 1,
      description: 'Greater than that of each earlier line; numbers may be missing',
    },
    push: { ...sha256, description: 'SHA-256 of the `url_token` of the push, in hex' },
    push_kind: { type: 'string', enum: PUSH_KINDS },
    kind: auditKind,
    by_owner: flag('Whether the owner of the push caused it, as far as is known'),
    digest: {
      ...sha256,
      description:
        'SHA-256, in hex, of the digest of the line before it of the same push, if any, and this line without its digest',
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
    properties: { logs: { type: 'array', items: ref('AuditEntryWithMailsDto') } },
  },
  RequestAuditLog: {
    type: 'object',
    required: ['logs'],
    properties: { logs: { type: 'array', items: ref('RequestAuditEntryDto') } },
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
    required: ['database', 'writes', 'migrations', 'keys'],
    properties: {
      database: { type: 'boolean' },
      writes: { type: 'boolean' },
      migrations: { type: 'boolean' },
      keys: { type: 'boolean' },
      store: flag('Only with `?full`'),
    },
  },
  Up: { type: 'object', required: ['up'], properties: { up: { type: 'boolean', const: true } } },
  Ready: {
    type: 'object',
    required: ['ready', 'checks'],
    properties: { ready: { type: 'boolean', const: true }, checks: ref('Readiness') },
  },
};
