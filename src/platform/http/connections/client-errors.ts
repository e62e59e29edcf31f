import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { NOT_KEPT } from '../cache-control.js';

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
    `Cache-Control: ${NOT_KEPT}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
