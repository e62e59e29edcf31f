import { pause } from './pause.js';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Asks for a download, with these headers. Rejects only when there is no response, or it was cancelled: a status of
 * failure is a response.
 */
type Fetch = (headers: { Range: string }) => Promise<Response>;

/**
 * The bytes of a download. When it breaks, the rest is asked for until that arrives: it fails once the link has expired
 * meanwhile.
 */
export function continuedDownload(
  first: ReadableStream<Uint8Array>,
  fetchAgain: Fetch,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let reader: Reader = first.getReader();
  let received = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      return (await reader.read()).value;
    } catch (error) {
      signal.throwIfAborted();
      reader = await readerFrom(received, fetchAgain, signal, error);
      return next();
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const value = await next();
        received += value?.length ?? 0;
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** @throws `error` if nothing more will arrive */
async function readerFrom(
  start: number,
  fetchAgain: Fetch,
  signal: AbortSignal,
  error: unknown,
): Promise<Reader> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    await pause(wait, signal);
    const response = await fetchAgain({ Range: `bytes=${start}-` }).catch(() => undefined);
    if (response?.status === 206 && response.body) return response.body.getReader();
    if (response && response.status !== 429 && response.status < 500) throw error;
  }
}
