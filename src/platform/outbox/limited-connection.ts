import { once } from 'node:events';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { connect, isIP, isIPv6 } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { connect as connectTls } from 'node:tls';
import type { ProxyAddress } from '../settings/server-addresses.js';

/**
 * A TCP connection to a server that may send only so many bytes, whatever they are: the handshake of TLS, interim
 * responses, endless lines. After these it ends, as if the server had closed it.
 */
export class LimitedConnection extends Duplex {
  /** @param remaining how many bytes the server may still send */
  constructor(
    private readonly socket: Socket,
    private remaining: number,
  ) {
    super({ allowHalfOpen: false });
    socket
      .on('data', (bytes) => {
        this.receive(bytes);
      })
      .on('end', () => this.push(null))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy())
      .on('connect', () => this.emit('connect'))
      .on('timeout', () => this.emit('timeout'));
  }

  get hasReachedLimit(): boolean {
    return this.remaining === 0;
  }

  /** As that of a socket. */
  setTimeout(milliseconds: number): this {
    this.socket.setTimeout(milliseconds);
    return this;
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  /** Ends after the socket has: TLS over it can tell first why it has ended, such as by a certificate that is not valid. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.socket.closed) done(error);
    else
      this.socket
        .once('close', () => {
          done(error);
        })
        .destroy();
  }

  private receive(bytes: Buffer): void {
    const allowed = bytes.subarray(0, this.remaining);
    this.remaining -= allowed.length;
    if (!this.push(allowed)) this.socket.pause();
    if (!this.hasReachedLimit) return;
    this.socket.removeAllListeners('data').removeAllListeners('end').destroy();
    this.push(null);
  }
}

/** How a request for a URL is sent, with options of `node:http` and `node:https`. */
interface LimitedRoute {
  connection: LimitedConnection;
  /** With a path only where a proxy is asked for the whole URL. */
  options: Pick<RequestOptions, 'createConnection' | 'path'>;
  /** What the proxy needs besides the headers of the request. */
  headers: Record<string, string>;
}

interface Way {
  maxBytes: number;
  /** Ends the wait for the proxy. */
  signal: AbortSignal;
  proxy: ProxyAddress | undefined;
  /** In place of the name server; a proxy resolves by itself. */
  lookup?: LookupFunction;
}

/** Why a proxy does not help: `PROXY_407`, the status of its response, or the code of an error, `PROXY_ECONNREFUSED`. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`PROXY_${reason}`, options);
    this.code = this.message;
  }
}

/**
 * Connects to the server of a URL, or to the proxy by which it is reached: one with TLS by a tunnel (CONNECT, RFC 9110,
 * 9.3.6), one without by requests for the whole URL (RFC 9112, 3.2.2).
 * @throws ProxyError
 */
export async function connectTo(url: URL, { maxBytes, signal, proxy, lookup }: Way): Promise<LimitedRoute> {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, ''); // of an IPv6 address
  const port = Number(url.port || (isSecure ? 443 : 80));
  if (!proxy) {
    const connection = new LimitedConnection(connect({ host, port, lookup }), maxBytes);
    const createConnection = () => (isSecure ? secured(connection, host) : connection);
    return { connection, options: { createConnection }, headers: {} };
  }

  const connection = new LimitedConnection(connect({ host: proxy.host, port: proxy.port }), maxBytes);
  const opened = proxy.tls ? secured(connection, proxy.host) : connection;
  for (const each of [connection, opened]) each.on('error', () => undefined); // who waits for it is told
  try {
    await once(opened, proxy.tls ? 'secureConnect' : 'connect', { signal });
    const login = loginOf(proxy);
    if (!isSecure)
      return {
        connection,
        options: { createConnection: () => opened, path: url.href.replace(/#.*$/, '') },
        headers: login,
      };
    const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    await openTunnel(opened, authority, { headers: login, signal });
    return { connection, options: { createConnection: () => secured(opened, host) }, headers: {} };
  } catch (error) {
    connection.destroy();
    if (error instanceof ProxyError) throw error;
    if (signal.aborted) throw new ProxyError('TIMEOUT', { cause: error });
    throw new ProxyError(connection.hasReachedLimit ? 'RESPONSE_TOO_LONG' : codeOf(error), { cause: error });
  }
}

/** @throws ProxyError when a proxy, which has been asked for the whole URL, wants another login */
export function checkProxyStatus(status: number, { options }: LimitedRoute): void {
  if (options.path !== undefined && status === 407) throw new ProxyError(String(status));
}

function secured(connection: Duplex, host: string): TLSSocket {
  const servername = isIP(host) ? '' : host;
  return connectTls({ socket: connection, host, servername, ALPNProtocols: ['http/1.1'] });
}

async function openTunnel(
  proxy: Duplex,
  authority: string,
  { headers, signal }: Pick<LimitedRoute, 'headers'> & { signal: AbortSignal },
): Promise<void> {
  const [response, , head] = await new Promise<[IncomingMessage, Duplex, Buffer]>((resolve, reject) => {
    const request = httpRequest({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...headers },
      createConnection: () => proxy,
      signal,
    });
    request
      .on('error', reject)
      .on('connect', (...received) => {
        resolve(received);
      })
      .end();
  });
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode > 299) throw new ProxyError(String(statusCode));
  if (head.length > 0) proxy.unshift(head);
}

function loginOf({ username, password = '' }: ProxyAddress): Record<string, string> {
  if (username === undefined) return {};
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  return { 'Proxy-Authorization': `Basic ${login}` };
}

/** The code of an error of a connection; its message may contain a host or its IP address. */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN';
}
