import type { Request, Response } from 'express';
import { hasArrived } from './body/media-type.js';

/** How long and how much is still read of a request after its answer, so that the client gets to read the answer. */
const LINGER_MS = 2000;
const LINGER_BYTES = 16 * 1024 * 1024;

/**
 * Ends the connection with this answer if some of the request's body has not arrived: the rest is not worth reading.
 * The connection is first closed for sending alone. Closed at once, with bytes of the request unread, it would be
 * reset, and a client that is still sending would lose the answer (RFC 9112, 9.6).
 */
export function closeAfterAnswer(request: Request, response: Response): void {
  if (response.headersSent || hasArrived(request)) return;

  const { socket } = request;
  response.setHeader('Connection', 'close');
  socket.destroySoon = () => {
    // Node.js calls it when an answer with `Connection: close` has been sent
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
