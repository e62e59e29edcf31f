import type { Pool, PoolConnection } from 'mysql2';
import { isRefusedByServer } from '../errors/database-error.js';
import { idleConnectionsOf } from './idle-connections.js';

type Send = (...args: unknown[]) => unknown;

/**
 * Ends all connections of the pool when the server says on one of them that it does not write, or that it is not part of
 * its cluster: after a failover the address leads to another server, which only new connections reach. Those that are in
 * use end when they are released.
 */
export function leaveRefusingServer(pool: Pool): void {
  let current = new WeakSet<PoolConnection>();
  const idle = idleConnectionsOf(pool);

  const leave = (connection: PoolConnection) => {
    if (!current.has(connection)) return; // connections opened since may lead to another server
    current = new WeakSet();
    for (const each of idle) each.destroy();
    idle.clear();
  };

  pool.on('connection', (connection) => {
    current.add(connection);
    onEachError(connection, (error) => {
      if (isRefusedByServer(error)) leave(connection);
    });
    const release = connection.release.bind(connection);
    connection.release = () => {
      if (current.has(connection)) release();
      else connection.destroy();
    };
  });
}

/** Calls `report` with the errors of all statements of a connection, before their own callbacks. */
function onEachError(connection: PoolConnection, report: (error: unknown) => void): void {
  for (const method of ['query', 'execute'] as const) {
    const send = connection[method].bind(connection) as Send;
    const reporting = (done: Send): Send => {
      return (error, ...results) => {
        if (error) report(error);
        return done(error, ...results);
      };
    };
    connection[method] = ((...args: unknown[]) =>
      send(...args.map((arg) => (typeof arg === 'function' ? reporting(arg as Send) : arg)))) as never;
  }
}
