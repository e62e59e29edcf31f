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
  /** Breaks all connections, and accepts no more. */
  cut(): void;
}

/** Only for database servers, not for SQLite. */
export async function startDatabaseProxy(instance: Instance): Promise<DatabaseProxy> {
  const url = new URL(instance.env.DATABASE_URL ?? '');
  let target = { host: url.hostname, port: Number(url.port) };
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.on('error', () => other.destroy()).on('close', () => other.destroy());
      end.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  url.port = String((server.address() as AddressInfo).port);
  return {
    instance: { ...instance, env: { ...instance.env, DATABASE_URL: url.href } },
    move: (to) => (target = { ...target, ...to }),
    cut: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}
