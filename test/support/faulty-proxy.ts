import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';

/** What a proxy does instead of forwarding a POST: answers itself, or breaks the connection. */
export type Fault =
  { status: number; headers?: Record<string, string>; body: string } | 'cut before' | 'cut after';

/** A proxy that answers, or breaks, POST requests. */
export interface FaultyProxy {
  url: string;
  /** From now on, this happens to each POST request; browsers repeat some by themselves. */
  break(fault: Fault): void;
  /** From now on, each request is forwarded. */
  repair(): void;
  /** What clients have sent since the last call: request lines, headers and bodies. */
  received(): string;
  stop(): Promise<void>;
}

export async function startFaultyProxy(upstream: string): Promise<FaultyProxy> {
  let current: Fault | undefined;
  let received: string[] = [];
  const server = createServer((incoming, outgoing) => {
    received.push(incoming.url ?? '', ...incoming.rawHeaders);
    incoming.on('data', (chunk: Buffer) => received.push(chunk.toString('latin1')));
    const fault = incoming.method === 'POST' ? current : undefined;
    if (fault === 'cut before') incoming.socket.destroy();
    else if (typeof fault === 'object') answer(fault, incoming, outgoing);
    else forward(upstream, incoming, outgoing, fault === 'cut after');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break: (fault) => (current = fault),
    repair: () => (current = undefined),
    received: () => {
      const all = received.join('');
      received = [];
      return all;
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(fault: Exclude<Fault, string>, incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  incoming.once('end', () => {
    outgoing.writeHead(fault.status, { 'Content-Type': 'text/html', ...fault.headers }).end(fault.body);
  });
}

/** @param isCut breaks the connection once the server has answered */
function forward(
  upstream: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isCut: boolean,
): void {
  const { method, url, headers } = incoming;
  const forwarded = request(upstream + (url ?? '/'), { method, headers }, (response) => {
    if (isCut) {
      response.resume();
      incoming.socket.destroy();
    } else {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    }
  });
  forwarded.once('error', () => incoming.destroy());
  incoming.pipe(forwarded);
}
