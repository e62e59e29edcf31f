import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { Instance } from './instance.js';

/** A TCP proxy to an instance's database server, as an address that can lead elsewhere. */
export interface DatabaseProxy {
  /** The instance, with its database reached through the proxy. */
  instance: Instance;
  /** New connections come from this address, or lead to this port; the others stay. */
  move(to: { localAddress?: string; port?: number }): void;
  /**
   * Nothing is forwarded any more on connections on which nothing was sent for this long, and neither end is told, like at a
   * firewall that forgets them. New connections work.
   */
  forgetIdle(milliseconds: number): void;
  /** How many connections have been idle for so long that they are forgotten, and not been used since. */
  forgotten(): number;
  /** Breaks all connections, and accepts no more. */
  stop(): void;
}

/** Only for database servers, not for SQLite. */
export async function startDatabaseProxy(instance: Instance): Promise<DatabaseProxy> {
  const url = new URL(instance.env.DATABASE_URL ?? '');
  let target = { host: url.hostname, port: Number(url.port) };
  let forgetAfter = Infinity;
  const ends = new Set<Socket>();
  const lastUse = new Map<Socket, number>();
  const isForgotten = (connection: Socket) =>
    performance.now() - (lastUse.get(connection) ?? 0) > forgetAfter;
  const server = createServer((near) => {
    const far = connect(target);
    lastUse.set(near, performance.now());
    near.on('close', () => lastUse.delete(near));
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.on('error', () => other.destroy()).on('close', () => other.destroy());
      end.on('data', (bytes) => {
        if (isForgotten(near)) lastUse.set(near, -Infinity);
        else lastUse.set(near, performance.now());
        if (!isForgotten(near)) other.write(bytes);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  url.port = String((server.address() as AddressInfo).port);
  return {
    instance: { ...instance, env: { ...instance.env, DATABASE_URL: url.href } },
    move: (to) => (target = { ...target, ...to }),
    forgetIdle: (milliseconds) => (forgetAfter = milliseconds),
    forgotten: () => [...lastUse.keys()].filter(isForgotten).length,
    stop: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}
