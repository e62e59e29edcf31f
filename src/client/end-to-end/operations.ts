import { fileKeyOf } from '../../../packages/client/src/end-to-end/age-header.js';
import type { Reason } from '../../../packages/client/src/end-to-end/end-to-end-error.js';
import { reasonOf } from '../../../packages/client/src/end-to-end/end-to-end-error.js';
import { decryptPayload, encryptPayload } from '../../../packages/client/src/end-to-end/payload.js';
import { proofOf } from '../../../packages/client/src/end-to-end/secret.js';

/** The operations that take long, and run in a worker. */
const operations = { fileKeyOf, decryptPayload, proofOf, encryptPayload };

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type Result<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>;

export interface OperationRequest<Name extends OperationName = OperationName> {
  name: Name;
  args: Parameters<Operations[Name]>;
}

export type OperationResponse<Name extends OperationName = OperationName> =
  { result: Result<Name> } | { reason: Reason };

/** Runs the operation that a message requests. */
export async function respond({ name, args }: OperationRequest): Promise<OperationResponse> {
  const operation = operations[name] as (...args: unknown[]) => Promise<Result<OperationName>>;
  try {
    return { result: await operation(...args) };
  } catch (error) {
    return { reason: reasonOf(error) ?? 'unavailable' }; // for example when there is too little memory
  }
}
