import type { TcpProxy } from './tcp-proxy.js';
import { startTcpProxy } from './tcp-proxy.js';

/** A proxy that can break connections once the server has handled a request and begins to respond. */
export interface CuttingProxy extends TcpProxy {
  /** How many POST requests were forwarded. */
  posts(): number;
  /** Breaks the connections of the next responses to POST requests, after the response headers. */
  cutResponses(count: number): void;
}

export async function startCuttingProxy(upstream: string): Promise<CuttingProxy> {
  let posts = 0;
  let toCut = 0;
  const proxy = await startTcpProxy(upstream, (client, service) => {
    let isPost = false;
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
  return {
    ...proxy,
    posts: () => posts,
    cutResponses: (count) => (toCut = count),
  };
}
