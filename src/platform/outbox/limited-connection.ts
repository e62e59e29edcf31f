import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

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
