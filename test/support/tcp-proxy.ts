import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface TcpProxy {
  url: string;
  /** Breaks all connections. */
  cut(): void;
  stop(): Promise<void>;
}

/** @param forward sends what comes on each of two connections to the other; when one closes, both do */
export async function startTcpProxy(
  upstream: string,
  forward: (client: Socket, service: Socket) => void,
): Promise<TcpProxy> {
  const { hostname, port } = new URL(upstream);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        service.destroy();
      });
    }
    forward(client, service);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
