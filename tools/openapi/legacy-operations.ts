import { createBody } from './create-body.js';
import { EXAMPLES } from './examples.js';
import { headers, PAGED } from './headers.js';
import type { OperationFacts } from './operation.js';
import { PUSH_OPERATIONS } from './push-operations.js';
import { ref } from './references.js';
import { answer, ownPush, response, shared } from './responses.js';

const tag = 'v1';

const forOtherOrigins = headers(
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
);

/** Every operation of version 1 of the API, by method and path. */
export const LEGACY_OPERATIONS: Record<string, OperationFacts> = {
  'get /api/v1/version': {
    id: 'legacyVersion',
    tag,
    token: 'ignored',
    description: 'The features are in version 2.',
    success: { 200: answer('Versions', ref('LegacyVersion'), EXAMPLES.legacyVersion) },
    refusals: [],
    neverFails: true,
  },
  'options /p.json': {
    id: 'legacyPreflight',
    tag,
    token: 'ignored',
    description: 'Browsers ask this before a page of another origin creates a push. No other path allows it.',
    success: { 204: response('The CORS headers for pages of other origins', forOtherOrigins) },
    refusals: [],
    neverFails: true,
  },
  'post /p.json': {
    ...creates('password'),
    id: 'legacyCreatePush',
    token: 'optional',
    description: 'The kind is the one of the request, else `file` when there are files, else `text`.',
    success: { 201: ownPush('The created push', 'CreatedPushDto', forOtherOrigins) },
  },
  'post /f.json': {
    ...creates('file_push'),
    id: 'legacyCreateFilePush',
    description: 'The kind is always `file`: a `kind` in the request is ignored.',
  },
  'post /r.json': {
    ...creates('url'),
    id: 'legacyCreateUrlPush',
    description: 'The kind is always `url`: a `kind` in the request is ignored. The URL is the `payload`.',
  },
  'get /{prefix}/active.json': { ...PUSH_OPERATIONS.listActive, id: 'legacyListActive', tag },
  'get /{prefix}/expired.json': { ...PUSH_OPERATIONS.listExpired, id: 'legacyListExpired', tag },
  'head /{prefix}/{url_token}.json': { ...PUSH_OPERATIONS.assertExists, id: 'legacyHasPush', tag },
  'get /{prefix}/{url_token}.json': { ...PUSH_OPERATIONS.retrieve, id: 'legacyRetrieve', tag },
  'delete /{prefix}/{url_token}.json': { ...PUSH_OPERATIONS.delete, id: 'legacyDelete', tag },
  'get /{prefix}/{url_token}/preview.json': { ...PUSH_OPERATIONS.preview, id: 'legacyPreview', tag },
  'get /{prefix}/{url_token}/audit.json': {
    ...PUSH_OPERATIONS.listAudit,
    id: 'legacyAudit',
    tag,
    success: {
      200: answer(
        'The audit log, oldest first',
        ref('LegacyAuditLog'),
        { views: EXAMPLES.audit.logs },
        PAGED,
      ),
    },
  },
};

function creates(key: Parameters<typeof createBody>[0]) {
  return {
    tag,
    token: 'needed',
    requestBody: createBody(key),
    success: { 201: shared('CreatedPush') },
    refusals: [400, 401, 403, 408, 413, 415, 422],
  } satisfies Omit<OperationFacts, 'id' | 'description'>;
}
