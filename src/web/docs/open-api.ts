/** The parts of an OpenAPI 3.1 document that the page shows, without references: see references.ts. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  security: Security;
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** Each entry is one way to be admitted; an empty one admits everyone. */
type Security = Record<string, unknown>[];

/** An operation as the document has it. */
interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** That of the document, if absent. */
  security?: Security;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, ApiResponse>;
}

interface Operation extends DescribedOperation {
  security: Security;
  parameters: Parameter[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  example: string | number;
  schema: Schema;
}

export interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface ApiResponse {
  description: string;
  content?: Record<string, MediaType>;
  headers?: Record<string, { description?: string; schema: Schema }>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  contentEncoding?: string;
  contentMediaType?: string;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  required?: string[];
}

/** An operation with its place in the document. */
export interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

export function endpointsOf({ paths, security }: OpenApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: { security, parameters: [], ...operation },
    })),
  );
}

export type TokenUse = 'required' | 'optional' | 'unused';

/** Whether an operation needs an API token, accepts one, or ignores it. */
export function tokenUse({ security }: Operation): TokenUse {
  if (!security.some((way) => 'token' in way)) return 'unused';
  return security.every((way) => 'token' in way) ? 'required' : 'optional';
}

/** The examples of a body, the first one first. */
export function examplesOf({ example, examples = {} }: MediaType): { summary?: string; value: unknown }[] {
  return example === undefined ? Object.values(examples) : [{ value: example }];
}
