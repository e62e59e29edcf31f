import type { LookupFunction, Socket } from 'node:net';
import { connect, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

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

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
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

/** Where a request for a URL is sent. */
export interface LimitedRoute {
  connection: LimitedConnection;
  /** For the options of `node:http` and `node:https`. */
  createConnection: () => Duplex;
}

/** @param lookup in place of the name server */
export function connectTo(url: URL, maxBytes: number, lookup?: LookupFunction): LimitedRoute {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, ''); // of an IPv6 address
  const port = Number(url.port || (isSecure ? 443 : 80));
  const connection = new LimitedConnection(connect({ host, port, lookup }), maxBytes);
  const servername = isIP(host) ? '' : host;
  const secured = () => connectTls({ socket: connection, host, servername, ALPNProtocols: ['http/1.1'] });
  return { connection, createConnection: isSecure ? secured : () => connection };
}
