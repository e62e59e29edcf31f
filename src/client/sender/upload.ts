import { pause } from '../../../packages/client/src/pause.js';
import { sendRequest } from '../page/request.js';
import type { ReceivedResponse } from '../../../packages/client/src/uploads/sent-request.js';

const PAUSE_MS = 1000;

interface SendOptions {
  /** The key by which the server recognises a retry. */
  idempotencyKey: string;
  /** Signal that cancels sending. */
  signal: AbortSignal;
  onProgress: (sent: number, total: number) => void;
}

/**
 * Sends a form, and retries once when there is no response: the server may have handled it before the connection
 * broke, and recognises the retry by its key.
 * @throws when there is no response to the retry either, or it was cancelled
 */
export async function send(
  action: string,
  body: FormData,
  { idempotencyKey, ...options }: SendOptions,
): Promise<ReceivedResponse> {
  const headers = { 'Idempotency-Key': `"${idempotencyKey}"` };
  const request = { method: 'POST', url: action, headers, body, ...options };
  try {
    return await sendRequest(request);
  } catch (error) {
    if (options.signal.aborted || !navigator.onLine) throw error;
    await pause(PAUSE_MS, options.signal);
    return sendRequest(request);
  }
}
