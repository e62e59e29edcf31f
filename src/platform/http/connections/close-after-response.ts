import type { Request, Response } from 'express';

/** How long and how much of a request is still read after its response, so that the client can read the response. */
const LINGER_MS = 2000;
const LINGER_BYTES = 16 * 1024 * 1024;

/**
 * Ends the connection after this response if some of the request body has not arrived: the rest is not needed.
 * First, only the sending side is closed. If the connection were closed immediately, with bytes of the request unread,
 * it would be reset, and a client that is still sending would lose the response (RFC 9112, 9.6).
 */
export function closeAfterResponse(request: Request, response: Response): void {
  if (response.headersSent || hasArrived(request)) return;

  const { socket } = request;
  response.setHeader('Connection', 'close');
  socket.destroySoon = () => {
    // Node.js calls it when a response with `Connection: close` has been sent
    socket.end();
    let left = LINGER_BYTES;
    request.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) socket.destroy();
    });
    request.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => {
      clearTimeout(timer);
    });
  };
}

/**
 * Whether all of a request body has arrived, read or not. When a short body arrives together with its headers, Node.js
 * sets `complete` only in a later turn of the event loop.
 */
export function hasArrived(request: Request): boolean {
  if (request.complete) return true;
  const { headers } = request;
  const length = headers['content-length'];
  if (length !== undefined) return request.readableLength === Number(length);
  return headers['transfer-encoding'] === undefined;
}
