import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificate.js';

export const PROXY_LOGIN = { username: 'egress', password: 'p@ss:w%rd' };

/** A proxy on loopback by which others are reached: by CONNECT, or by requests for a whole URL. It wants a login. */
export class ForwardProxy {
  /** What it was asked for, with the right login. */
  readonly asked: string[] = [];
  /** Where the hosts are that only it knows. */
  readonly ports: Record<string, number> = {};
  /** What it does with connections in place of forwarding them. */
  behave?: (socket: Socket) => void;
  private readonly sockets = new Set<Duplex>();
  private readonly http = createServer((incoming, outgoing) => {
    this.forward(incoming, outgoing);
  }).on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    this.tunnel(incoming, socket);
  });
  private readonly server = createTcpServer((socket) => {
    this.keep(socket);
    if (this.behave) this.behave(socket);
    else this.http.emit('connection', socket);
  });

  static async start(): Promise<ForwardProxy> {
    const proxy = new ForwardProxy();
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    const { username, password } = PROXY_LOGIN;
    return `http://${username}:${encodeURIComponent(password)}@127.0.0.1:${this.port}`;
  }

  get urlWithoutLogin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (!hasLogin(incoming)) {
      outgoing.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="egress"' }).end();
      return;
    }
    const { method, headers, url = '' } = incoming;
    const { hostname, port, pathname, search, host } = new URL(url);
    this.asked.push(`${method} ${url}`);
    const { 'proxy-authorization': _, ...others } = headers;
    const options = { method, headers: { ...others, host }, path: pathname + search };
    const target = request({ ...options, host: '127.0.0.1', port: this.ports[hostname] ?? Number(port) });
    target.on('response', (response) => {
      response.pipe(outgoing.writeHead(response.statusCode ?? 0, response.headers));
    });
    target.on('error', () => outgoing.destroy());
    incoming.pipe(target);
  }

  private tunnel(incoming: IncomingMessage, socket: Duplex): void {
    if (!hasLogin(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const { url = '' } = incoming;
    const { hostname, port } = new URL(`http://${url}`);
    this.asked.push(`CONNECT ${url}`);
    const target = connect(this.ports[hostname] ?? Number(port || 80), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    this.keep(target);
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }
}

function hasLogin({ headers }: IncomingMessage): boolean {
  const { username, password } = PROXY_LOGIN;
  return (
    headers['proxy-authorization'] === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  );
}

/** A server on loopback that takes TLS off, and passes connections on to another one. */
export interface TlsFront {
  port: number;
  /** How many connections it has got. */
  connections: () => number;
  stop(): Promise<void>;
}

export async function startTlsFront(
  certificate: Pick<Certificate, 'cert' | 'key'>,
  upstream: string,
): Promise<TlsFront> {
  const { port } = new URL(upstream);
  let connections = 0;
  const open = new Set<Duplex>();
  const server = createTlsServer(certificate, (socket) => {
    connections += 1;
    const target = connect(Number(port), '127.0.0.1');
    for (const each of [socket, target]) {
      open.add(each);
      each.on('error', () => undefined).on('close', () => open.delete(each));
    }
    socket.pipe(target).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
