import { EndToEndError } from '../../../packages/client/src/end-to-end/end-to-end-error.js';
import type { OperationName, OperationRequest, OperationResponse, Result } from './operations.js';

/** The part of `Worker` that is used here. */
interface WorkerLike {
  postMessage(request: OperationRequest): void;
  addEventListener(type: 'message', listener: (event: { data: OperationResponse }) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: () => void): void;
  terminate(): void;
}

/**
 * Runs one operation in a worker of its own, which ends with it: the memory is freed, and cancelling stops the
 * computation.
 * @throws EndToEndError, or the reason of the signal
 */
export async function runInWorker<Name extends OperationName>(
  start: () => Promise<WorkerLike>,
  request: OperationRequest<Name>,
  signal?: AbortSignal,
): Promise<Result<Name>> {
  signal?.throwIfAborted();
  const worker = await start();
  try {
    signal?.throwIfAborted();
    const response = await responseOf(worker, request, signal);
    if ('reason' in response) throw new EndToEndError(response.reason);
    return response.result;
  } finally {
    worker.terminate();
  }
}

function responseOf<Name extends OperationName>(
  worker: WorkerLike,
  request: OperationRequest<Name>,
  signal?: AbortSignal,
): Promise<OperationResponse<Name>> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      reject(new EndToEndError('unavailable'));
    };
    worker.addEventListener('message', ({ data }) => {
      resolve(data as OperationResponse<Name>);
    });
    worker.addEventListener('error', fail);
    worker.addEventListener('messageerror', fail);
    signal?.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
    worker.postMessage(request);
  });
}
