import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

/** A server on loopback that sends what it likes, once a client has sent or may expect something. */
export interface HostilePeer {
  port: number;
  /** How many bytes its closed connections have sent. */
  sentBytes: () => number;
  stop(): Promise<void>;
}

/** What fits into the buffers of both sides of a connection, whatever is read. */
export const BUFFERED_BYTES = 20_000_000;

/** @param greets it sends at once, as SMTP servers do; others wait for a request */
export async function startHostilePeer(
  behave: (socket: Socket) => void,
  { greets = false } = {},
): Promise<HostilePeer> {
  const sockets = new Set<Socket>();
  let sentBytes = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => (sentBytes += socket.bytesWritten));
    const begin = () => {
      behave(socket);
    };
    if (greets) begin();
    else socket.once('data', begin);
    socket.resume();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sentBytes: () => sentBytes,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Sends a text again and again, as fast as it is read. */
export function flood(text: string, beginning = ''): (socket: Socket) => void {
  const bytes = Buffer.from(text.repeat(2000), 'latin1');
  return (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.on('drain', more).write(beginning, more);
  };
}

/** Sends a text, and then one byte after the other. */
export function drip(beginning: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write('a'), 5);
    socket.on('close', () => {
      clearInterval(timer);
    });
  };
}
