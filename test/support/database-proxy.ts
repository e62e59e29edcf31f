import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { Instance } from './instance.js';

/** A TCP proxy to an instance's database server that can be cut. */
export interface DatabaseProxy {
  /** The instance, with its database reached through the proxy. */
  instance: Instance;
  cut(): void;
}

/** Only for database servers, not for SQLite. */
export async function startDatabaseProxy(instance: Instance): Promise<DatabaseProxy> {
  const url = new URL(instance.env.DATABASE_URL ?? '');
  const [host, port] = [url.hostname, Number(url.port)];
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, host);
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
    cut: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}
