import { parameter, type PARAMETERS } from './parameters.js';
import type { Json } from './references.js';
import { shared } from './responses.js';

/** Facts about a route that the code does not have. */
export interface OperationFacts {
  id: string;
  tag: string;
  /** Whether a token is required, optional or ignored. */
  token: 'needed' | 'optional' | 'ignored';
  description: string;
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

/** A token is needed where an operation says nothing else: see build-document.ts. */
const SECURITY = { needed: undefined, optional: [{ token: [] }, {}], ignored: [{}] };

const REFUSALS = {
  400: shared('BadRequest'),
  401: shared('Unauthorized'),
  403: shared('Forbidden'),
  404: shared('NotFound'),
  408: shared('RequestTimeout'),
  410: shared('Gone'),
  413: shared('ContentTooLarge'),
  415: shared('UnsupportedMediaType'),
  416: shared('RangeNotSatisfiable'),
  422: shared('UnprocessableContent'),
  429: shared('TooManyRequests'),
  500: shared('InternalServerError'),
  503: shared('ServiceUnavailable'),
};

const PAGES: Record<number, Json> = {
  400: shared('BadRequestPage'),
  404: shared('NotFoundPage'),
  429: shared('TooManyRequestsPage'),
  500: shared('InternalServerErrorPage'),
  503: shared('ServiceUnavailablePage'),
};

export function describeOperation(path: string, summary: string | undefined, facts: OperationFacts): Json {
  const refusals = [
    ...facts.refusals,
    ...(facts.isNeverThrottled ? [] : ([429] as const)),
    ...(facts.neverFails ? [] : ([500, 503] as const)),
  ];
  const bodies: Record<number, Json | undefined> = facts.isPage ? PAGES : REFUSALS;
  const parameters = [...parametersIn(path), ...(facts.parameters ?? [])];
  return {
    operationId: facts.id,
    tags: [facts.tag],
    summary,
    description: facts.description,
    security: SECURITY[facts.token],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: facts.requestBody,
    responses: {
      ...facts.success,
      ...Object.fromEntries(refusals.map((status) => [status, bodies[status]])),
    },
  };
}

function parametersIn(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name as keyof typeof PARAMETERS));
}
