import { TICKET } from './examples.js';
import { URL_TOKEN } from './push-fields.js';

/** The parts of an operation of an OpenAPI document that are used here. */
export interface Operation {
  summary?: string;
  operationId?: string;
  parameters?: { name: string; in: string }[];
}

type Json = Record<string, unknown>;

/** Facts about a route that the code does not have. */
export interface OperationFacts {
  id: string;
  tag: string;
  /** Whether a token is required, optional or ignored. */
  token: 'needed' | 'optional' | 'ignored';
  description?: string;
  /** Successful responses by status. */
  success: Record<number, Json>;
  refusals: (keyof typeof REFUSALS)[];
  /** Whether it is for browsers: its errors are then pages. */
  isPage?: boolean;
  parameters?: Json[];
  requestBody?: Json;
  isNeverThrottled?: boolean;
  /** Whether it works without the database, so that 500 and 503 are not added. */
  neverFails?: boolean;
}

const SECURITY = { needed: [{ token: [] }], optional: [{ token: [] }, {}], ignored: [{}] };

const requestId = {
  'X-Request-Id': { description: 'Also in the log of the installation', schema: { type: 'string' } },
};
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'string', pattern: '^[0-9]+$' } },
};
const challenge = { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } };
const size = { 'Content-Range': { schema: { type: 'string', pattern: '^bytes [*]/[0-9]+$' } } };

/** The parameters in paths. */
const IN_PATHS: Record<string, Json> = {
  url_token: { description: 'Identifies the push', example: URL_TOKEN },
  ticket: { description: 'From the URL of a file in a retrieved push', example: TICKET },
  locale: {
    description: 'A locale that a client puts into its links; it has no effect',
    example: 'pt-BR',
    schema: { type: 'string', pattern: '^[a-z]{2}(-[A-Z]{2})?$' },
  },
};

export const REFUSALS = {
  400: refusal(
    'The request is not acceptable: no object `push`, a malformed body or URL, JSON that is too deep or has too many values, an invalid page number',
    'Error',
    { error: 'The body must have an object "push" with the fields of the push.' },
  ),
  401: refusal(
    'A token is missing or wrong, or the passphrase is missing or wrong',
    'Unauthorized',
    { error: 'A valid API token is needed.' },
    challenge,
  ),
  403: refusal('The token is valid, but the push is another account’s, or the link has expired', 'Error', {
    error: 'Only the owner may delete this push.',
  }),
  404: refusal('No such push', 'Error', { error: 'not-found' }),
  408: refusal('Sending the body took too long', 'Error', { error: 'Sending the body took too long.' }),
  413: refusal('The body is too large', 'Error', {
    error: 'The body is too large. Files may be larger when sent as multipart.',
  }),
  415: refusal('The body is compressed, or in another charset than UTF-8', 'Error', {
    error: 'The body must not be compressed.',
  }),
  416: refusal('The file has no such range', 'Error', { error: 'The file has no such range.' }, size),
  422: refusal('Fields are not acceptable', 'ValidationErrors', {
    expire_after_days: ['must be a whole number from 1 to 90'],
  }),
  429: refusal(
    'Too many requests, or too many wrong passphrases',
    'Error',
    { error: 'Too many requests. Try again later.' },
    retryAfter,
  ),
  500: refusal('An internal error', 'Error', { error: 'Something went wrong on our side.' }),
  503: refusal(
    'Too busy, or something is temporarily unavailable',
    'Unavailable',
    { error: 'The service is unavailable for the moment. Try again in a few seconds.' },
    retryAfter,
  ),
} as const;

export function describeOperation(scanned: Operation, facts: OperationFacts): Json {
  const always = [
    ...(facts.isNeverThrottled ? [] : ([429] as const)),
    ...(facts.neverFails ? [] : ([500, 503] as const)),
  ];
  const refusals = [...facts.refusals, ...always];
  const responses: Record<string, Json> = {
    ...facts.success,
    ...Object.fromEntries(
      refusals.map((status) => [status, facts.isPage ? asPage(REFUSALS[status]) : REFUSALS[status]]),
    ),
  };
  return {
    operationId: facts.id,
    tags: [facts.tag],
    summary: scanned.summary,
    ...(facts.description && { description: facts.description }),
    security: SECURITY[facts.token],
    parameters: [...pathParameters(scanned), ...(facts.parameters ?? [])],
    ...(facts.requestBody && { requestBody: facts.requestBody }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, withRequestId(response)]),
    ),
  };
}

function withRequestId(response: Json): Json {
  return { ...response, headers: { ...requestId, ...(response.headers as Json | undefined) } };
}

/** A JSON response with a schema of the components and an example. */
export function answer(description: string, schema: Json, example: unknown, headers?: Json): Json {
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema, example } },
  };
}

/** A response of lines, of which each is an `AuditLineDto`. */
export function lines(description: string, example: object[]): Json {
  const schema = { type: 'string', description: 'Each line is an AuditLineDto.' };
  const text = example.map((line) => `${JSON.stringify(line)}\n`).join('');
  return { description, content: { 'application/x-ndjson': { schema, example: text } } };
}

export function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

/** A response for people. */
export function page(description: string): Json {
  const html = { schema: { type: 'string' }, example: '<!doctype html><html lang="en">…</html>' };
  return { description, content: { 'text/html': html } };
}

function asPage({ description, headers }: Json): Json {
  return { ...page(description as string), ...(headers !== undefined && { headers }) };
}

function refusal(description: string, schema: string, example: Json, headers?: Json): Json {
  return answer(description, ref(schema), example, headers);
}

function pathParameters({ parameters = [] }: Operation): Json[] {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => ({ name, in: 'path', required: true, schema: { type: 'string' }, ...IN_PATHS[name] }));
}
