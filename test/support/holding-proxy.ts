import type { Socket } from 'node:net';
import type { TcpProxy } from './tcp-proxy.js';
import { startTcpProxy } from './tcp-proxy.js';

type Direction = 'up' | 'down';

/** A proxy through which as many bytes pass as a test allows; the others wait. */
export interface HoldingProxy extends TcpProxy {
  /** Lets so many more bytes pass from clients to the server (`up`) or from it, and all if no number is given. */
  allow(direction: Direction, bytes?: number): void;
  /** Resolves when bytes wait in this direction. */
  held(direction: Direction): Promise<void>;
  /** Bytes that have passed since the last call. */
  passed(direction: Direction): number;
}

class Flow {
  private allowed = Infinity;
  private readonly waiting = new Set<Socket>();
  private onHeld: (() => void)[] = [];
  passed = 0;

  pass(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      this.allowed -= bytes.length;
      this.passed += bytes.length;
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => {
          if (!this.waiting.has(from)) from.resume();
        });
      }
      if (this.allowed <= 0) this.hold(from);
    });
    from.once('close', () => this.waiting.delete(from));
  }

  allow(bytes: number): void {
    this.allowed = bytes;
    for (const socket of this.waiting) socket.resume();
    this.waiting.clear();
  }

  held(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.size > 0) resolve();
      else this.onHeld.push(resolve);
    });
  }

  private hold(socket: Socket): void {
    socket.pause();
    this.waiting.add(socket);
    for (const resolve of this.onHeld) resolve();
    this.onHeld = [];
  }
}

export async function startHoldingProxy(upstream: string): Promise<HoldingProxy> {
  const flows = { up: new Flow(), down: new Flow() };
  const proxy = await startTcpProxy(upstream, (client, service) => {
    flows.up.pass(client, service);
    flows.down.pass(service, client);
  });
  return {
    ...proxy,
    allow: (direction, bytes = Infinity) => {
      flows[direction].allow(bytes);
    },
    held: (direction) => flows[direction].held(),
    passed: (direction) => {
      const { passed } = flows[direction];
      flows[direction].passed = 0;
      return passed;
    },
  };
}
