import { createBody } from './create-body.js';
import { EXAMPLES } from './examples.js';
import type { OperationFacts } from './operation.js';
import { answer, ref } from './operation.js';
import { list, pageNumber, paged, passphrase } from './parameters.js';

const opening = {
  'Access-Control-Allow-Origin': { schema: { type: 'string', const: '*' } },
  'Access-Control-Allow-Methods': { schema: { type: 'string', const: 'POST' } },
  'Access-Control-Allow-Headers': {
    schema: { type: 'string', const: 'Content-Type, Authorization, X-User-Email, X-User-Token' },
  },
};

/** Every operation of version 1 of the API, by method and path. */
export const LEGACY_OPERATIONS: Record<string, OperationFacts> = {
  'get /api/v1/version': {
    id: 'legacyVersion',
    tag: 'v1',
    token: 'ignored',
    success: { 200: answer('Versions', ref('LegacyVersion'), EXAMPLES.legacyVersion) },
    refusals: [],
    neverFails: true,
  },
  'options /p.json': {
    id: 'legacyPreflight',
    tag: 'v1',
    token: 'ignored',
    success: { 204: { description: 'The CORS headers for pages of other origins', headers: opening } },
    refusals: [],
    neverFails: true,
  },
  'post /p.json': {
    ...creates('legacyCreatePush', 'password', 'optional'),
    success: { 201: answer('The created push', ref('CreatedPushDto'), EXAMPLES.created, opening) },
  },
  'post /f.json': creates('legacyCreateFilePush', 'file_push', 'needed'),
  'post /r.json': creates('legacyCreateUrlPush', 'url', 'needed'),
  ...below('p'),
  ...below('f'),
  ...below('r'),
};

function creates(
  id: string,
  key: Parameters<typeof createBody>[0],
  token: OperationFacts['token'],
): OperationFacts {
  return {
    id,
    tag: 'v1',
    token,
    requestBody: createBody(key),
    success: { 201: answer('The created push', ref('CreatedPushDto'), EXAMPLES.created) },
    refusals: [400, 401, 408, 413, 415, 422],
  };
}

/** The paths under each of the prefixes, for pushes of every kind. */
function below(prefix: string): Record<string, OperationFacts> {
  const of = { tag: 'v1' };
  const idOf = (name: string) => `legacy${name}${prefix.toUpperCase()}`;
  return {
    [`get /${prefix}/active.json`]: {
      ...of,
      id: idOf('ListActive'),
      token: 'needed',
      parameters: [pageNumber],
      success: list(EXAMPLES.active),
      refusals: [400, 401],
    },
    [`get /${prefix}/expired.json`]: {
      ...of,
      id: idOf('ListExpired'),
      token: 'needed',
      parameters: [pageNumber],
      success: list(EXAMPLES.expired),
      refusals: [400, 401],
    },
    [`head /${prefix}/{url_token}.json`]: {
      ...of,
      id: idOf('HasPush'),
      token: 'optional',
      description: 'Has no body, whatever the status.',
      success: { 200: { description: 'The push exists, ended or not' } },
      refusals: [400, 401, 404],
    },
    [`get /${prefix}/{url_token}.json`]: {
      ...of,
      id: idOf('Retrieve'),
      token: 'optional',
      description:
        'Counts as one view each time, unless the push has ended: then `expired` is true and `payload` null.',
      parameters: passphrase,
      success: { 200: answer('The push with its secret', ref('RetrievedPushDto'), EXAMPLES.retrieved) },
      refusals: [400, 401, 404],
    },
    [`delete /${prefix}/{url_token}.json`]: {
      ...of,
      id: idOf('Delete'),
      token: 'optional',
      description: 'For the owner, and for anyone when the push has `deletable_by_viewer`.',
      success: { 200: answer('The push, ended', ref('PushDto'), EXAMPLES.deleted) },
      refusals: [400, 401, 403, 404],
    },
    [`get /${prefix}/{url_token}/preview.json`]: {
      ...of,
      id: idOf('Preview'),
      token: 'optional',
      success: { 200: answer('The URL for people', ref('PreviewDto'), EXAMPLES.preview) },
      refusals: [400, 401, 404],
    },
    [`get /${prefix}/{url_token}/audit.json`]: {
      ...of,
      id: idOf('Audit'),
      token: 'needed',
      parameters: [pageNumber],
      success: {
        200: answer(
          'The audit log, oldest first',
          ref('LegacyAuditLog'),
          { views: EXAMPLES.audit.logs },
          paged,
        ),
      },
      refusals: [400, 401, 403, 404],
    },
  };
}
