import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Pipelines } from './pipeline.js';

/**
 * Ends connections on which nothing has moved for `server.timeout`, or for twice as long while a request is in
 * progress: its handler may be slow, or its body. Between two requests, `server.keepAliveTimeout` takes its place.
 */
export function closeSilentConnections(server: Server, pipelines: Pipelines): void {
  const trafficBefore = new WeakMap<Socket, number>();
  server.on('timeout', (socket: Socket) => {
    const traffic = socket.bytesRead + socket.bytesWritten;
    if (isUnread(socket) || !pipelines.isBusy(socket) || trafficBefore.get(socket) === traffic) {
      destroySocket(socket);
    } else {
      trafficBefore.set(socket, traffic);
      socket.setTimeout(server.timeout);
    }
  });
}

/**
 * An answer that nobody reads is not left to the system, which would keep megabytes of it for minutes: a reset flushes
 * them at once (RFC 9293, 3.10.5).
 */
function destroySocket(socket: Socket): void {
  if (isUnread(socket)) socket.resetAndDestroy();
  else socket.destroy();
}

function isUnread(socket: Socket): boolean {
  return socket.writableLength > 0;
}
