import { EXAMPLES } from './examples.js';
import { PAGED } from './headers.js';
import type { OperationFacts } from './operation.js';
import { parameter } from './parameters.js';
import { ref } from './references.js';
import { answer, shared } from './responses.js';

type Facts = Omit<OperationFacts, 'id' | 'tag'>;

/** What both versions of the API have in common, by the methods of the controllers. */
export const PUSH_OPERATIONS = {
  listActive: {
    token: 'needed',
    description: 'Pushes of every kind. One that has reached a limit is never among them.',
    parameters: [parameter('page')],
    success: { 200: shared('ActivePushes') },
    refusals: [400, 401, 403],
  },
  listExpired: {
    token: 'needed',
    description: 'Pushes of every kind, deleted ones too.',
    parameters: [parameter('page')],
    success: { 200: shared('ExpiredPushes') },
    refusals: [400, 401, 403],
  },
  assertExists: {
    token: 'optional',
    description: 'Has no body, whatever the status.',
    success: { 200: shared('PushExists') },
    refusals: [400, 401, 403, 404],
  },
  retrieve: {
    token: 'optional',
    description:
      'Counts as one view each time, unless the push has ended: then `expired` is true and `payload` null.',
    parameters: [
      parameter('passphrase'),
      parameter('X-Push-Passphrase'),
      parameter('X-Push-Recipient'),
      parameter('X-Push-Code'),
    ],
    success: { 200: shared('RetrievedPush') },
    refusals: [400, 401, 403, 404],
  },
  preview: {
    token: 'optional',
    description:
      'Works for expired pushes too. Counts no view, reveals nothing of the secret and leaves no entry in the audit log.',
    success: { 200: shared('PushUrl') },
    refusals: [400, 401, 403, 404],
  },
  listAudit: {
    token: 'needed',
    description: 'For the owner of the push; one that was created without a token has none.',
    parameters: [parameter('page')],
    success: { 200: answer('The audit log, oldest first', ref('AuditLog'), EXAMPLES.audit, PAGED) },
    refusals: [400, 401, 403, 404],
  },
  delete: {
    token: 'optional',
    description: 'For the owner, and for anyone when the push has `deletable_by_viewer`.',
    success: { 200: shared('EndedPush') },
    refusals: [400, 401, 403, 404],
  },
} satisfies Record<string, Facts>;
