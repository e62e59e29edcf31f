import type { OperationFacts } from './operation.js';
import { answer, ref } from './operation.js';
import { createBody } from './create-body.js';

const page = {
  name: 'page',
  in: 'query',
  description: '50 a page; a page past the end is empty',
  schema: { type: 'integer', minimum: 1, maximum: 200, default: 1 },
};
const passphrase = [
  {
    name: 'passphrase',
    in: 'query',
    description: 'Better sent in the header: addresses end up in logs',
    schema: { type: 'string' },
  },
  {
    name: 'X-Push-Passphrase',
    in: 'header',
    description: 'The passphrase in percent-encoded UTF-8; wins over the query',
    schema: { type: 'string' },
  },
];
const whole = { type: 'string', pattern: '^[0-9]+$' };
const paged = {
  headers: {
    'X-Page': { schema: whole, description: 'This page' },
    'X-Per-Page': { schema: whole, description: 'How many are on a page' },
    'X-Total': { schema: whole, description: 'How many there are in all' },
    'X-Total-Pages': { schema: whole, description: '1 to 200' },
    Link: { schema: { type: 'string' }, description: 'RFC 8288: first, prev, next and last page' },
  },
};
const list = {
  200: answer('The pushes, newest first', { type: 'array', items: ref('OwnPushDto') }, paged),
};
const bytes = { 'application/octet-stream': {} };

/** Every route that is documented, by method and path. */
export const OPERATIONS: Record<string, OperationFacts> = {
  'get /api/v2/version': {
    id: 'getVersion',
    tag: 'version',
    token: 'ignored',
    success: { 200: answer('Versions and features', ref('VersionDto')) },
    refusals: [],
  },
  'post /api/v2/pushes': {
    id: 'createPush',
    tag: 'pushes',
    token: 'optional',
    requestBody: createBody,
    success: { 201: answer('The push that was made', ref('OwnPushDto')) },
    refusals: [400, 401, 413, 422],
  },
  'get /api/v2/pushes/active': {
    id: 'listActivePushes',
    tag: 'pushes',
    token: 'needed',
    parameters: [page],
    success: list,
    refusals: [400, 401],
  },
  'get /api/v2/pushes/expired': {
    id: 'listExpiredPushes',
    tag: 'pushes',
    token: 'needed',
    parameters: [page],
    success: list,
    refusals: [400, 401],
  },
  'head /api/v2/pushes/{url_token}': {
    id: 'hasPush',
    tag: 'pushes',
    token: 'optional',
    description: 'Has no body, whatever the status.',
    success: { 200: { description: 'There is one, ended or not' } },
    refusals: [401, 404],
  },
  'get /api/v2/pushes/{url_token}': {
    id: 'retrievePush',
    tag: 'pushes',
    token: 'optional',
    description:
      'Counts as one view each time, unless the push has ended: then `expired` is true and `payload` null.',
    parameters: passphrase,
    success: { 200: answer('The push with its secret', ref('RetrievedPushDto')) },
    refusals: [400, 401, 404],
  },
  'get /api/v2/pushes/{url_token}/preview': {
    id: 'previewPush',
    tag: 'pushes',
    token: 'optional',
    success: { 200: answer('Where people open it', ref('PreviewDto')) },
    refusals: [401, 404],
  },
  'get /api/v2/pushes/{url_token}/audit': {
    id: 'listAudit',
    tag: 'pushes',
    token: 'needed',
    parameters: [page],
    success: { 200: answer('What happened, oldest first', ref('AuditLog'), paged) },
    refusals: [400, 401, 403, 404],
  },
  'delete /api/v2/pushes/{url_token}': {
    id: 'deletePush',
    tag: 'pushes',
    token: 'optional',
    description: 'For the owner, and for anyone when the push has `deletable_by_viewer`.',
    success: { 200: answer('The push, ended', ref('PushDto')) },
    refusals: [401, 403, 404],
  },
  'get /files/{ticket}': {
    id: 'downloadFile',
    tag: 'files',
    token: 'ignored',
    description:
      'For ten minutes after the retrieval that told the address. The Content-Type is that of the file.',
    parameters: [
      { name: 'Range', in: 'header', schema: { type: 'string' }, description: 'One range of bytes' },
    ],
    success: {
      200: { description: 'The file', content: bytes },
      206: { description: 'The range that was asked for', content: bytes },
    },
    refusals: [403, 416],
  },
  'head /files/{ticket}': {
    id: 'describeFile',
    tag: 'files',
    token: 'ignored',
    description: 'Has no body, whatever the status.',
    success: { 200: { description: 'Its headers' } },
    refusals: [403],
  },
  'get /up': {
    id: 'up',
    tag: 'health',
    token: 'ignored',
    isNeverThrottled: true,
    success: { 200: answer('The process is alive', ref('Up')) },
    refusals: [],
  },
  'get /ready': {
    id: 'ready',
    tag: 'health',
    token: 'ignored',
    isNeverThrottled: true,
    success: { 200: answer('Requests can be served', ref('Ready')) },
    refusals: [503],
  },
};
