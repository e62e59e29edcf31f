import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
  /** Method and path, with the query. */
  line: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

/** A server that responds as a test wants, and keeps what it has received. */
export interface FakeServer {
  url: string;
  received: ReceivedRequest[];
  /** Responds to a method and path, whatever the query is. Everything else is a 404. */
  on(route: string, respond: Respond): void;
  stop(): Promise<void>;
}

export async function startFakeServer(): Promise<FakeServer> {
  const received: ReceivedRequest[] = [];
  const routes = new Map<string, Respond>();
  const server = createServer((message, response) => {
    const line = `${message.method} ${message.url}`;
    buffer(message).then(
      (body) => {
        const request = { line, headers: message.headers, body };
        received.push(request);
        (routes.get(line.split('?')[0] ?? '') ?? json(404, { error: 'not-found' }))(response, request);
      },
      () => undefined, // the client is gone
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    on: (route, respond) => routes.set(route, respond),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function json(status: number, content: unknown): Respond {
  return (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
}
