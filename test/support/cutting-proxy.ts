import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** A proxy that can break connections once the server has handled a request and begins to respond. */
export interface CuttingProxy {
  url: string;
  /** How many POST requests were forwarded. */
  posts(): number;
  /** Breaks the connections of the next responses to POST requests, after the response headers. */
  cutResponses(count: number): void;
  stop(): Promise<void>;
}

export async function startCuttingProxy(upstream: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(upstream);
  const sockets = new Set<Socket>();
  let posts = 0;
  let toCut = 0;

  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    let isPost = false;
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        service.destroy();
      });
    }
    client.on('data', (bytes) => {
      const verb = /^(GET|HEAD|POST) /.exec(bytes.toString('latin1'))?.[1];
      if (verb) isPost = verb === 'POST';
      if (verb === 'POST') posts += 1;
      service.write(bytes);
    });
    service.on('data', (bytes) => {
      if (isPost && toCut > 0) {
        toCut -= 1;
        const head = bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 5); // and a byte of the body
        client.write(head, () => client.destroy());
      } else {
        client.write(bytes);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts: () => posts,
    cutResponses: (count) => (toCut = count),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
