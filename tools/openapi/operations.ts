import { changeBody, createBody } from './create-body.js';
import { EXAMPLES } from './examples.js';
import { GENERATE_OPERATION } from './generate-operation.js';
import { headers } from './headers.js';
import { LEGACY_OPERATIONS } from './legacy-operations.js';
import { codeBody, mailBody } from './mail-body.js';
import type { OperationFacts } from './operation.js';
import { PAGE_OPERATIONS } from './page-operations.js';
import { auditRange } from './parameters.js';
import { PUSH_OPERATIONS } from './push-operations.js';
import { ref } from './references.js';
import { REQUEST_OPERATIONS } from './request-operations.js';
import { UPLOAD_OPERATIONS } from './upload-operations.js';
import { answer, lines, ownPush, response, shared } from './responses.js';

const bytes = { 'application/octet-stream': {} };
const ofFile = headers('ETag', 'Accept-Ranges', 'Content-Disposition');
const ofRange = { ...ofFile, 'Content-Range': { schema: { type: 'string' } } };

/** Every route that is documented, by method and path. */
export const OPERATIONS: Record<string, OperationFacts> = {
  'get /api': {
    id: 'getIntroduction',
    tag: 'version',
    token: 'ignored',
    description:
      'They start with the setting PUBLIC_URL, without it with the scheme and host of the request.',
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
    description: 'The same as openapi.json in the source, but with the setting PUBLIC_URL as its server.',
    success: { 200: answer('This document', { type: 'object' }, { openapi: '3.1.0' }) },
    refusals: [],
    neverFails: true,
  },
  'get /api/v2/version': {
    id: 'getVersion',
    tag: 'version',
    token: 'ignored',
    description:
      'The features say what this installation allows: anonymous use, files, and which kinds of pushes.',
    success: { 200: answer('Versions and features', ref('VersionDto'), EXAMPLES.version) },
    refusals: [],
    neverFails: true,
  },
  'post /api/v2/pushes': {
    id: 'createPush',
    tag: 'pushes',
    token: 'optional',
    description:
      'With a token, its account is the owner of the push. Attaching files may need one: see GET /api/v2/version.',
    requestBody: createBody('push'),
    success: { 201: shared('CreatedPush') },
    refusals: [400, 401, 403, 408, 413, 415, 422],
  },
  'get /api/v2/pushes/active': { ...PUSH_OPERATIONS.listActive, id: 'listActivePushes', tag: 'pushes' },
  'get /api/v2/pushes/expired': { ...PUSH_OPERATIONS.listExpired, id: 'listExpiredPushes', tag: 'pushes' },
  'head /api/v2/pushes/{url_token}': { ...PUSH_OPERATIONS.assertExists, id: 'hasPush', tag: 'pushes' },
  'get /api/v2/pushes/{url_token}': { ...PUSH_OPERATIONS.retrieve, id: 'retrievePush', tag: 'pushes' },
  'get /api/v2/pushes/{url_token}/preview': { ...PUSH_OPERATIONS.preview, id: 'previewPush', tag: 'pushes' },
  'get /api/v2/pushes/{url_token}/audit': { ...PUSH_OPERATIONS.listAudit, id: 'listAudit', tag: 'pushes' },
  'get /api/v2/audit': {
    id: 'listAuditOfAllPushes',
    tag: 'pushes',
    token: 'needed',
    description:
      'Ask again with `after` = the `id` of the last line to go on; no line means that there is nothing new.',
    parameters: auditRange,
    success: { 200: lines('The audit log of all pushes of the caller, oldest first', EXAMPLES.auditLines) },
    refusals: [400, 401, 403],
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
  'patch /api/v2/pushes/{url_token}': {
    id: 'changePush',
    tag: 'pushes',
    token: 'needed',
    description:
      'For the owner of a push that has not ended: fewer views and an earlier end, never more than now, and other recipients if it has any. Days and durations count from its creation.',
    requestBody: changeBody,
    success: { 200: ownPush('The push with its new limits', 'OwnPushDto') },
    refusals: [400, 401, 403, 404, 408, 413, 415, 422],
  },
  'post /api/v2/pushes/{url_token}/code': {
    id: 'mailCode',
    tag: 'pushes',
    token: 'optional',
    description:
      'For a push with `recipients_required` that has not ended. The answer is the same whether the address is a recipient or not.',
    requestBody: codeBody,
    success: { 202: answer('A recipient gets a code', ref('CodeRequestedDto'), EXAMPLES.codeRequested) },
    refusals: [400, 401, 403, 404, 408, 413, 415, 422],
  },
  'delete /api/v2/pushes/{url_token}': { ...PUSH_OPERATIONS.delete, id: 'deletePush', tag: 'pushes' },
  ...GENERATE_OPERATION,
  ...UPLOAD_OPERATIONS,
  ...REQUEST_OPERATIONS,
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
      200: response('The file', ofFile, bytes),
      206: response('The requested range', ofRange, bytes),
    },
    refusals: [400, 403, 416],
  },
  'head /files/{ticket}': {
    id: 'describeFile',
    tag: 'files',
    token: 'ignored',
    description: 'Has no body, whatever the status.',
    success: { 200: response('The headers of the file', ofFile) },
    refusals: [400, 403],
  },
  'get /up': {
    id: 'up',
    tag: 'health',
    token: 'ignored',
    description: 'Is not counted by the rate limit.',
    isNeverThrottled: true,
    success: { 200: answer('The process is alive', ref('Up'), EXAMPLES.up) },
    refusals: [],
    neverFails: true,
  },
  'get /ready': {
    id: 'ready',
    tag: 'health',
    token: 'ignored',
    description: 'Is not counted by the rate limit.',
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
