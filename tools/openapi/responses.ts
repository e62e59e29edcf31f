import { EXAMPLES } from './examples.js';
import { headers, PAGED } from './headers.js';
import type { Json } from './references.js';
import { ref } from './references.js';
import { REQUEST_EXAMPLES } from './request-fields.js';

/** A response. Every one has the id of its request. */
export function response(description: string, others: Json = {}, content?: Json): Json {
  return {
    description,
    headers: { ...headers('X-Request-Id'), ...others },
    ...(content && { content }),
  };
}

/** A JSON response with an example. */
export function answer(description: string, schema: Json, example: unknown, others?: Json): Json {
  return response(description, others, { 'application/json': { schema, example } });
}

/** A JSON response whose example is a push of the caller. */
export function ownPush(description: string, schema: string, others?: Json): Json {
  const examples = { push: { $ref: '#/components/examples/OwnPush' } };
  return response(description, others, { 'application/json': { schema: ref(schema), examples } });
}

/** A response of lines, of which each is an `AuditLineDto`. */
export function lines(description: string, example: object[]): Json {
  const schema = { type: 'string', description: 'Each line is an AuditLineDto.' };
  const text = example.map((line) => `${JSON.stringify(line)}\n`).join('');
  return response(description, {}, { 'application/x-ndjson': { schema, example: text } });
}

export function redirect(target: string): Json {
  const Location = { description: `\`${target}\`, below the path of PUBLIC_URL`, schema: { type: 'string' } };
  return response(`Redirects to \`${target}\``, { Location });
}

/** A response for people. */
function page(description: string): Json {
  const html = { schema: { type: 'string' }, example: '<!doctype html><html lang="en">…</html>' };
  return response(description, {}, { 'text/html': html });
}

function asPage({ description, headers: its }: Json): Json {
  return { ...page(description as string), headers: its };
}

function refusal(description: string, schema: string, example: Json, others?: Json): Json {
  return answer(description, ref(schema), example, others);
}

const retryAfter = headers('Retry-After');

/** Refusals of requests, by the names of their statuses (RFC 9110). */
const REFUSALS = {
  BadRequest: refusal(
    'The request is not acceptable: no object `push`, a malformed body or URL, JSON that is too deep or has too many values, an invalid page number',
    'Error',
    { error: 'The body must have an object "push" with the fields of the push.' },
  ),
  Unauthorized: refusal(
    'A token is missing or wrong, or the passphrase is missing or wrong',
    'Unauthorized',
    { error: 'A valid API token is needed.' },
    { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
  ),
  Forbidden: refusal(
    'The token is valid, but limited to something else, or its account must set up a second factor first, or the push is another account’s, or opens later or from other networks only, or the link has expired',
    'Error',
    { error: 'Only the owner may delete this push.' },
  ),
  NotFound: refusal('No such push or request', 'Error', { error: 'not-found' }),
  RequestTimeout: refusal('Sending the body took too long', 'Error', {
    error: 'Sending the body took too long.',
  }),
  Gone: refusal('The request for a secret is closed', 'Error', {
    error: 'This request is closed. It takes no more answers.',
  }),
  ContentTooLarge: refusal('The body is too large', 'Error', {
    error: 'The body is too large. Files may be larger when sent as multipart.',
  }),
  UnsupportedMediaType: refusal('The body is compressed, or in another charset than UTF-8', 'Error', {
    error: 'The body must not be compressed.',
  }),
  RangeNotSatisfiable: refusal(
    'The file has no such range',
    'Error',
    { error: 'The file has no such range.' },
    { 'Content-Range': { schema: { type: 'string', pattern: '^bytes [*]/[0-9]+$' } } },
  ),
  UnprocessableContent: refusal('Fields are not acceptable', 'ValidationErrors', {
    expire_after_days: ['must be a whole number from 1 to 90'],
  }),
  TooManyRequests: refusal(
    'Too many requests, or too many wrong passphrases',
    'Error',
    { error: 'Too many requests. Try again later.' },
    retryAfter,
  ),
  InternalServerError: refusal('An internal error', 'Error', { error: 'Something went wrong on our side.' }),
  ServiceUnavailable: refusal(
    'Too busy, or something is temporarily unavailable',
    'Unavailable',
    { error: 'The service is unavailable for the moment. Try again in a few seconds.' },
    retryAfter,
  ),
};

/** What operations for browsers send instead of these refusals. */
const PAGES_OF_REFUSALS = {
  BadRequestPage: asPage(REFUSALS.BadRequest),
  NotFoundPage: asPage(REFUSALS.NotFound),
  TooManyRequestsPage: asPage(REFUSALS.TooManyRequests),
  InternalServerErrorPage: asPage(REFUSALS.InternalServerError),
  ServiceUnavailablePage: asPage(REFUSALS.ServiceUnavailable),
};

const ownPushes = { type: 'array', items: ref('OwnPushDto') };

/** Responses of several operations, by name. */
export const RESPONSES = {
  CreatedPush: ownPush('The created push', 'CreatedPushDto'),
  ActivePushes: answer('The pushes, newest first', ownPushes, EXAMPLES.active, PAGED),
  ExpiredPushes: answer('The pushes, newest first', ownPushes, EXAMPLES.expired, PAGED),
  PushExists: response('The push exists, ended or not'),
  RetrievedPush: answer('The push with its secret', ref('RetrievedPushDto'), EXAMPLES.retrieved),
  PushUrl: answer('The URL for people', ref('PreviewDto'), EXAMPLES.preview),
  EndedPush: answer('The push, ended', ref('PushDto'), EXAMPLES.deleted),
  Answered: answer('The answer is taken', ref('AnsweredDto'), REQUEST_EXAMPLES.answered),
  PreviewPage: page('The link and its QR code'),
  RedirectToPush: redirect('/p/{url_token}'),
  ...REFUSALS,
  ...PAGES_OF_REFUSALS,
};

/** A reference to one of these responses. */
export function shared(name: keyof typeof RESPONSES): Json {
  return { $ref: `#/components/responses/${name}` };
}
