import { connect } from 'node:net';

const PATIENCE_MS = 60_000;

export interface Exchanged {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else the text. */
  body: any;
  /** All of it as it came, head included. */
  text: string;
}

/**
 * Sends bytes over a connection of their own and reads the answer until the server hangs up. Undefined when it hangs
 * up without an answer; rejects when it does neither. `isAll` is false for a request of which the rest never comes: then
 * the sender hangs up first.
 */
export function exchange(url: string, bytes: Buffer, isAll: boolean): Promise<Exchanged | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      if (isAll) socket.write(bytes);
      else socket.end(bytes);
    });
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy();
      reject(new Error(`no end after ${PATIENCE_MS} ms`));
    });
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', () => undefined); // who has heard enough may hang up; what counts is whether an answer came
    socket.once('close', () => {
      try {
        resolve(readAnswer(Buffer.concat(received), bytes.subarray(0, 5).toString() === 'HEAD '));
      } catch (error) {
        reject(error instanceof Error ? error : new Error('unreadable'));
      }
    });
  });
}

/** The answer after any `100 Continue`; undefined when there is none in full. */
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

/** Undefined when it was cut off. */
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
