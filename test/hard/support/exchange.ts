import { connect } from 'node:net';

const TIMEOUT_MS = 60_000;

export interface Exchanged {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, otherwise the text. */
  body: any;
  /** The whole response as received, including the headers. */
  text: string;
}

/**
 * Sends bytes over a new connection and reads the response until the server closes it. Undefined when the server closes
 * it without a response; rejects on timeout. `isAll` is false for an incomplete request: then the client closes its side
 * first.
 */
export function exchange(url: string, bytes: Buffer, isAll: boolean): Promise<Exchanged | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      if (isAll) socket.write(bytes);
      else socket.end(bytes);
    });
    socket.setTimeout(TIMEOUT_MS, () => {
      socket.destroy();
      reject(new Error(`not closed after ${TIMEOUT_MS} ms`));
    });
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', () => undefined); // the server may close early; what counts is whether a response arrived
    socket.once('close', () => {
      try {
        resolve(readAnswer(Buffer.concat(received), bytes.subarray(0, 5).toString() === 'HEAD '));
      } catch (error) {
        reject(error instanceof Error ? error : new Error('unreadable'));
      }
    });
  });
}

/** The response after any `100 Continue`; undefined unless it is complete. */
function readAnswer(bytes: Buffer, isHead: boolean): Exchanged | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return readAnswer(rest, isHead);

  const headers = new Headers(lines.map((line) => line.split(/:(.*)/s, 2) as [string, string]));
  const body = isHead ? rest : bodyOf(rest, headers);
  if (body === undefined) return undefined;
  const isJson = headers.get('content-type')?.startsWith('application/json') && body.length > 0;
  const text = body.toString();
  return { status, headers, body: isJson ? JSON.parse(text) : text, text: bytes.toString() };
}

/** Undefined when the body is incomplete. */
function bodyOf(rest: Buffer, headers: Headers): Buffer | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return joinedChunks(rest);
  const length = Number(headers.get('content-length') ?? 0);
  return rest.length === length ? rest : undefined;
}

function joinedChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(size >= 0)) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
