/** An operation of an OpenAPI document, as far as it is put together here. */
export interface Operation {
  summary?: string;
  operationId?: string;
  parameters?: { name: string; in: string }[];
}

type Json = Record<string, unknown>;

/** What the code cannot tell of a route. */
export interface OperationFacts {
  id: string;
  tag: string;
  /** Whether a token is needed, may be sent, or is not looked at. */
  token: 'needed' | 'optional' | 'ignored';
  description?: string;
  /** Answers that are not errors, by their status. */
  success: Record<number, Json>;
  refusals: (keyof typeof REFUSALS)[];
  parameters?: Json[];
  requestBody?: Json;
  isNeverThrottled?: boolean;
}

const SECURITY = { needed: [{ token: [] }], optional: [{ token: [] }, {}], ignored: [{}] };

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'string', pattern: '^[0-9]+$' } },
};
const challenge = { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } };

export const REFUSALS = {
  400: refusal('The request is not acceptable: no object `push`, a malformed body, a page that cannot be'),
  401: refusal(
    'A token is needed or wrong, or the passphrase is missing or wrong',
    'Unauthorized',
    challenge,
  ),
  403: refusal('The token is good, but the push is someone else’s, or the link has ended'),
  404: refusal('No such push'),
  413: refusal('The body is too large'),
  416: refusal('The file has no such range'),
  422: refusal('Fields are not acceptable', 'ValidationErrors'),
  429: refusal('Too many requests, or too many wrong passphrases', 'Error', retryAfter),
  500: refusal('Our fault'),
  503: refusal('Too busy, or something is unavailable for the moment', 'Unavailable', retryAfter),
} as const;

export function describeOperation(scanned: Operation, facts: OperationFacts): Json {
  const always = facts.isNeverThrottled ? [] : ([429, 500, 503] as const);
  const refusals = [...facts.refusals, ...always];
  return {
    operationId: facts.id,
    tags: [facts.tag],
    summary: scanned.summary,
    ...(facts.description && { description: facts.description }),
    security: SECURITY[facts.token],
    parameters: [...pathParameters(scanned), ...(facts.parameters ?? [])],
    ...(facts.requestBody && { requestBody: facts.requestBody }),
    responses: {
      ...facts.success,
      ...Object.fromEntries(refusals.map((status) => [status, REFUSALS[status]])),
    },
  };
}

/** An answer in JSON of a shape among the components. */
export function answer(description: string, schema: Json, more: Json = {}): Json {
  return { description, content: { 'application/json': { schema } }, ...more };
}

export function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

function refusal(description: string, schema = 'Error', headers?: Json): Json {
  return answer(description, ref(schema), headers && { headers });
}

function pathParameters({ parameters = [] }: Operation): Json[] {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => ({
      name,
      in: 'path',
      required: true,
      description:
        name === 'url_token' ? 'What names the push' : 'What a retrieved push told as the address of a file',
      schema: { type: 'string' },
    }));
}
