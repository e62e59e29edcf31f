import type { ReceivedResponse, SentRequest } from '../../../packages/client/src/uploads/sent-request.js';

/** Time without any progress after which a request is ended. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Sends one request.
 * @throws when there is no response, or it was cancelled
 */
export function sendRequest({
  method,
  url,
  headers,
  body,
  signal,
  onProgress,
}: SentRequest): Promise<ReceivedResponse> {
  const request = new XMLHttpRequest(); // fetch does not report upload progress
  const abort = () => {
    request.abort();
  };
  const idleTimer = new IdleTimer(abort);
  return new Promise<ReceivedResponse>((resolve, reject) => {
    signal.throwIfAborted(); // it tells listeners only once
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      idleTimer.renew();
      onProgress?.(loaded, total);
    });
    request.addEventListener('load', () => {
      resolve(responseOf(request));
    });
    for (const event of ['error', 'abort']) {
      request.addEventListener(event, () => {
        reject(new Error(event));
      });
    }
    signal.addEventListener('abort', abort);
    request.open(method, url);
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  }).finally(() => {
    idleTimer.end();
    signal.removeEventListener('abort', abort);
  });
}

/** Ends a request that makes no progress. */
class IdleTimer {
  private timer = this.start();

  constructor(private readonly giveUp: () => void) {}

  renew(): void {
    this.end();
    this.timer = this.start();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private start() {
    return setTimeout(() => {
      this.giveUp();
    }, IDLE_TIMEOUT_MS);
  }
}

function responseOf(request: XMLHttpRequest): ReceivedResponse {
  return {
    status: request.status,
    content: parsed(request.responseText),
    header: (name) => request.getResponseHeader(name),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
