import type { OperationFacts } from './operation.js';
import { answer, lines, ref } from './operation.js';
import { createBody } from './create-body.js';
import { EXAMPLES } from './examples.js';
import { mailBody } from './mail-body.js';
import { LEGACY_OPERATIONS } from './legacy-operations.js';
import { PAGE_OPERATIONS } from './page-operations.js';
import { auditRange, list, pageNumber, paged, passphrase } from './parameters.js';

const bytes = { 'application/octet-stream': {} };
const ofFile = {
  ETag: { schema: { type: 'string' }, description: 'For `If-Range`, when a download is resumed' },
  'Accept-Ranges': { schema: { type: 'string', const: 'bytes' } },
  'Content-Disposition': { schema: { type: 'string' }, description: 'Always an attachment; has the name' },
};
const ofRange = { ...ofFile, 'Content-Range': { schema: { type: 'string' } } };

/** Every route that is documented, by method and path. */
export const OPERATIONS: Record<string, OperationFacts> = {
  'get /api': {
    id: 'getIntroduction',
    tag: 'version',
    token: 'ignored',
    success: {
      200: answer(
        'The URLs of both versions and of the documentation',
        ref('Introduction'),
        EXAMPLES.introduction,
      ),
    },
    refusals: [400],
    neverFails: true,
  },
  'get /api/v2/openapi': {
    id: 'getDescription',
    tag: 'version',
    token: 'ignored',
    success: { 200: answer('This document', { type: 'object' }, { openapi: '3.1.0' }) },
    refusals: [],
    neverFails: true,
  },
  'get /api/v2/version': {
    id: 'getVersion',
    tag: 'version',
    token: 'ignored',
    success: { 200: answer('Versions and features', ref('VersionDto'), EXAMPLES.version) },
    refusals: [],
    neverFails: true,
  },
  'post /api/v2/pushes': {
    id: 'createPush',
    tag: 'pushes',
    token: 'optional',
    requestBody: createBody('push'),
    success: { 201: answer('The created push', ref('CreatedPushDto'), EXAMPLES.created) },
    refusals: [400, 401, 408, 413, 415, 422],
  },
  'get /api/v2/pushes/active': {
    id: 'listActivePushes',
    tag: 'pushes',
    token: 'needed',
    parameters: [pageNumber],
    success: list(EXAMPLES.active),
    refusals: [400, 401],
  },
  'get /api/v2/pushes/expired': {
    id: 'listExpiredPushes',
    tag: 'pushes',
    token: 'needed',
    parameters: [pageNumber],
    success: list(EXAMPLES.expired),
    refusals: [400, 401],
  },
  'head /api/v2/pushes/{url_token}': {
    id: 'hasPush',
    tag: 'pushes',
    token: 'optional',
    description: 'Has no body, whatever the status.',
    success: { 200: { description: 'The push exists, ended or not' } },
    refusals: [400, 401, 404],
  },
  'get /api/v2/pushes/{url_token}': {
    id: 'retrievePush',
    tag: 'pushes',
    token: 'optional',
    description:
      'Counts as one view each time, unless the push has ended: then `expired` is true and `payload` null.',
    parameters: passphrase,
    success: { 200: answer('The push with its secret', ref('RetrievedPushDto'), EXAMPLES.retrieved) },
    refusals: [400, 401, 404],
  },
  'get /api/v2/pushes/{url_token}/preview': {
    id: 'previewPush',
    tag: 'pushes',
    token: 'optional',
    success: { 200: answer('The URL for people', ref('PreviewDto'), EXAMPLES.preview) },
    refusals: [400, 401, 404],
  },
  'get /api/v2/pushes/{url_token}/audit': {
    id: 'listAudit',
    tag: 'pushes',
    token: 'needed',
    parameters: [pageNumber],
    success: { 200: answer('The audit log, oldest first', ref('AuditLog'), EXAMPLES.audit, paged) },
    refusals: [400, 401, 403, 404],
  },
  'get /api/v2/audit': {
    id: 'listAuditOfAllPushes',
    tag: 'pushes',
    token: 'needed',
    description:
      'Ask again with `after` = the `id` of the last line to go on; no line means that there is nothing new.',
    parameters: auditRange,
    success: { 200: lines('The audit log of all pushes of the caller, oldest first', EXAMPLES.auditLines) },
    refusals: [400, 401],
  },
  'post /api/v2/pushes/{url_token}/notify_emails': {
    id: 'mailLink',
    tag: 'pushes',
    token: 'needed',
    description:
      'For the owner of a push that has not ended, where GET /api/v2/version says that mails are sent.',
    requestBody: mailBody,
    success: { 201: answer('The mails will be sent', ref('MailsQueuedDto'), EXAMPLES.mailsQueued) },
    refusals: [400, 401, 403, 404, 408, 413, 415, 422],
  },
  'delete /api/v2/pushes/{url_token}': {
    id: 'deletePush',
    tag: 'pushes',
    token: 'optional',
    description: 'For the owner, and for anyone when the push has `deletable_by_viewer`.',
    success: { 200: answer('The push, ended', ref('PushDto'), EXAMPLES.deleted) },
    refusals: [400, 401, 403, 404],
  },
  'get /files/{ticket}': {
    id: 'downloadFile',
    tag: 'files',
    token: 'ignored',
    description:
      'Valid for ten minutes after the retrieval that returned it. The Content-Type is that of the file.',
    parameters: [
      {
        name: 'Range',
        in: 'header',
        description: 'One range of bytes',
        example: 'bytes=1024-',
        schema: { type: 'string' },
      },
    ],
    success: {
      200: { description: 'The file', headers: ofFile, content: bytes },
      206: { description: 'The requested range', headers: ofRange, content: bytes },
    },
    refusals: [400, 403, 416],
  },
  'head /files/{ticket}': {
    id: 'describeFile',
    tag: 'files',
    token: 'ignored',
    description: 'Has no body, whatever the status.',
    success: { 200: { description: 'The headers of the file', headers: ofFile } },
    refusals: [400, 403],
  },
  'get /up': {
    id: 'up',
    tag: 'health',
    token: 'ignored',
    isNeverThrottled: true,
    success: { 200: answer('The process is alive', ref('Up'), EXAMPLES.up) },
    refusals: [],
    neverFails: true,
  },
  'get /ready': {
    id: 'ready',
    tag: 'health',
    token: 'ignored',
    isNeverThrottled: true,
    parameters: [
      {
        name: 'full',
        in: 'query',
        allowEmptyValue: true,
        description: 'If present, whatever its value, files are checked as well',
        example: 'true',
        schema: { type: 'string' },
      },
    ],
    success: { 200: answer('Requests can be served', ref('Ready'), EXAMPLES.ready) },
    refusals: [503],
    neverFails: true,
  },

  ...LEGACY_OPERATIONS,
  ...PAGE_OPERATIONS,
};
