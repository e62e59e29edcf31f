import type { ServerResponse, IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const STATUSES = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/**
 * Responds to input that never becomes a request: too long, too slow or not HTTP. Node.js would send no body.
 * It reports each further piece of the input too, while the connection is being closed.
 */
export function handleClientError({ code = '' }: { code?: string }, socket: Socket): void {
  if (socket.writableEnded) return;

  if (socket.writable && !isResponding(socket)) socket.write(errorResponse(STATUSES.get(code) ?? 400));
  socket.destroySoon();
}

/** Whether a response has begun: the client would read anything written now as part of that response. */
function isResponding(socket: Socket): boolean {
  return (socket as { _httpMessage?: ServerResponse })._httpMessage?.headersSent ?? false;
}

function errorResponse(status: number): string {
  const reason = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ error: `The request cannot be read: ${reason}.` });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Bodies of up to this many chunks are accepted, however short the chunks are. */
const CHUNKS = 1000;
const MIN_AVERAGE_BYTES = 12;

/**
 * Responds with 400 to bodies in thousands of chunks of a few bytes each (RFC 9112, 7.1) and ends their connections.
 * Node.js takes 3 µs for each chunk: 30 ms for the 64 KiB of one read, if every chunk has one byte.
 */
export function limitChunks(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (request.headers['transfer-encoding'] !== undefined) countChunks(request);
  });
}

/** Counts chunks when they are parsed, before any of them is read. */
function countChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  let isRefused = false;
  request.push = (chunk: Buffer | null) => {
    if (isRefused) return false;
    chunks += 1;
    bytes += chunk?.length ?? 0;
    isRefused = chunks > CHUNKS && bytes < MIN_AVERAGE_BYTES * chunks;
    if (!isRefused) return push(chunk);
    handleClientError({}, request.socket);
    return false;
  };
}
