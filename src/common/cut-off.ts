import type { Socket } from 'node:net';

/**
 * Ends a connection that has been silent for too long. An answer that nobody reads is not left to the system, which
 * would keep megabytes of it for minutes: a reset flushes them at once (RFC 9293, 3.10.5).
 */
export function cutOff(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy();
  else socket.destroy();
}
