const PAUSE_MS = 1000;
/** Time without any progress after which a request is ended. */
const IDLE_TIMEOUT_MS = 60_000;

/** The response to a form. */
export interface UploadResponse {
  status: number;
  /** Undefined if it is not JSON: then it comes from something between the browser and the server. */
  content: unknown;
  /** The header `Retry-After`. */
  retryAfter: string | null;
}

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
export async function send(action: string, body: FormData, options: SendOptions): Promise<UploadResponse> {
  try {
    return await sendOnce(action, body, options);
  } catch (error) {
    if (options.signal.aborted || !navigator.onLine) throw error;
    await pause(options.signal);
    return sendOnce(action, body, options);
  }
}

/** @throws the reason of the signal, as soon as it aborts */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}

function sendOnce(
  action: string,
  body: FormData,
  { idempotencyKey, signal, onProgress }: SendOptions,
): Promise<UploadResponse> {
  const request = new XMLHttpRequest(); // fetch does not report upload progress
  const abort = () => {
    request.abort();
  };
  const idleTimer = new IdleTimer(abort);
  return new Promise<UploadResponse>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      idleTimer.renew();
      onProgress(loaded, total);
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
    request.open('POST', action);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Idempotency-Key', `"${idempotencyKey}"`);
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

function responseOf(request: XMLHttpRequest): UploadResponse {
  return {
    status: request.status,
    content: parsed(request.responseText),
    retryAfter: request.getResponseHeader('Retry-After'),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
