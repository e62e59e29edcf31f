import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Pipelines } from './pipeline.js';

/**
 * Closes connections on which no bytes have been sent or received for `server.timeout`, or for twice as long while a
 * request is in progress: its handler or body may be slow. Between requests, `server.keepAliveTimeout` applies instead.
 */
export function closeStalledConnections(server: Server, pipelines: Pipelines): void {
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
 * If the client does not read its response, the operating system would keep megabytes of it for minutes: a reset
 * discards them immediately (RFC 9293, 3.10.5).
 */
function destroySocket(socket: Socket): void {
  if (isUnread(socket)) socket.resetAndDestroy();
  else socket.destroy();
}

function isUnread(socket: Socket): boolean {
  return socket.writableLength > 0;
}
