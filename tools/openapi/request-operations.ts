import { PAGED } from './headers.js';
import type { OperationFacts } from './operation.js';
import { parameter } from './parameters.js';
import { ref } from './references.js';
import { REQUEST_EXAMPLES, requestBody } from './request-fields.js';
import { answer, shared } from './responses.js';

const listed = { type: 'array', items: ref('OwnRequestDto') };
const shown = { anyOf: ['RequestWithAnswersDto', 'RequestDto', 'ClosedRequestDto'].map((name) => ref(name)) };

const respond = {
  tag: 'requests',
  token: 'optional',
  description:
    'Becomes a push of the account that asked, which only that account can open. Whoever answers gets nothing that opens it.',
  parameters: [parameter('passphrase'), parameter('X-Push-Passphrase')],
  requestBody: { $ref: '#/components/requestBodies/Answer' },
  success: { 201: shared('Answered') },
  refusals: [400, 401, 403, 404, 408, 410, 413, 415, 422],
} satisfies Omit<OperationFacts, 'id'>;

/** Requests for secrets. Where GET /api/v2/version says that they are disabled, all are 404. */
export const REQUEST_OPERATIONS: Record<string, OperationFacts> = {
  'post /api/v2/requests': {
    id: 'createRequest',
    tag: 'requests',
    token: 'needed',
    description: 'Send its `html_url` to whoever has the secret.',
    requestBody,
    success: { 201: answer('The created request', ref('OwnRequestDto'), REQUEST_EXAMPLES.created) },
    refusals: [400, 401, 403, 404, 408, 413, 415, 422],
  },
  'get /api/v2/requests/open': {
    id: 'listOpenRequests',
    tag: 'requests',
    token: 'needed',
    description: 'Requests that take answers.',
    parameters: [parameter('page')],
    success: { 200: answer('The requests, newest first', listed, REQUEST_EXAMPLES.open, PAGED) },
    refusals: [400, 401, 403, 404],
  },
  'get /api/v2/requests/closed': {
    id: 'listClosedRequests',
    tag: 'requests',
    token: 'needed',
    description: 'Requests that were closed by their owner, by their last answer or by time.',
    parameters: [parameter('page')],
    success: {
      200: answer('The requests, the one that closed last first', listed, REQUEST_EXAMPLES.closedList, PAGED),
    },
    refusals: [400, 401, 403, 404],
  },
  'get /api/v2/requests/{url_token}': {
    id: 'getRequest',
    tag: 'requests',
    token: 'optional',
    description:
      'The owner also gets name, note and the answers, without a passphrase. Of a closed request everybody else gets only `url_token` and `state`.',
    parameters: [parameter('passphrase'), parameter('X-Push-Passphrase')],
    success: { 200: answer('The request', shown, REQUEST_EXAMPLES.withAnswers) },
    refusals: [400, 401, 403, 404],
  },
  'get /api/v2/requests/{url_token}/preview': {
    id: 'previewRequest',
    tag: 'requests',
    token: 'optional',
    description: 'Works for closed requests too, and needs no passphrase.',
    success: { 200: answer('The URL for people', ref('RequestPreviewDto'), REQUEST_EXAMPLES.preview) },
    refusals: [400, 401, 403, 404],
  },
  'get /api/v2/requests/{url_token}/audit': {
    id: 'listRequestAudit',
    tag: 'requests',
    token: 'needed',
    description: 'For the owner. What happens to an answer is in the audit log of its push.',
    parameters: [parameter('page')],
    success: {
      200: answer('The audit log, oldest first', ref('RequestAuditLog'), REQUEST_EXAMPLES.audit, PAGED),
    },
    refusals: [400, 401, 403, 404],
  },
  'post /api/v2/requests/{url_token}/respond': { ...respond, id: 'answerRequest' },
  'patch /api/v2/requests/{url_token}/respond': { ...respond, id: 'answerRequestByPatch' },
  'delete /api/v2/requests/{url_token}': {
    id: 'closeRequest',
    tag: 'requests',
    token: 'needed',
    description: 'For the owner. Answers that came stay. Repeating it changes nothing.',
    success: { 200: answer('The request, closed', ref('OwnRequestDto'), REQUEST_EXAMPLES.closed) },
    refusals: [400, 401, 403, 404],
  },
};
