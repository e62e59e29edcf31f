import type { Pool, PoolConnection, PoolOptions } from 'mysql2';
import { MINUTE_MS } from '../../settings/units.js';
import { streamOf } from './query-timeouts.js';

/**
 * Many firewalls and load balancers forget an idle connection after 4 to 15 minutes, without telling either end. The pool
 * closes idle connections only when `maxIdle` is below its size.
 */
export function idleOptions(poolSize: number): PoolOptions {
  return {
    enableKeepAlive: true,
    keepAliveInitialDelay: MINUTE_MS,
    maxIdle: Math.max(poolSize - 1, 1),
    idleTimeout: 3 * MINUTE_MS,
    gracefulEnd: true,
  };
}

/** The open connections of a pool that nothing uses, the longest idle first; kept up to date. */
export function idleConnectionsOf(pool: Pool): Set<PoolConnection> {
  const idle = new Set<PoolConnection>();
  pool.on('connection', (connection) => {
    streamOf(connection).once('close', () => idle.delete(connection));
  });
  pool.on('acquire', (connection) => idle.delete(connection));
  pool.on('release', (connection) => idle.add(connection));
  return idle;
}

const CHECK_AFTER_MS = 500;
const ANSWER_WITHIN_MS = 2000;

/**
 * Gives out a connection that has been idle only once the server answers on it, otherwise another one: nothing is executed
 * on it before, so this is safe for reads and writes. When one is dead, all that have been idle for longer are closed.
 */
export function checkIdleConnections(pool: Pool): void {
  const idle = idleConnectionsOf(pool);
  const idleSince = new WeakMap<PoolConnection, number>();
  pool.on('release', (connection) => idleSince.set(connection, performance.now()));

  const close = (connection: PoolConnection) => {
    connection.destroy();
    streamOf(connection).destroy(); // mysql2 only ends it, and a dead one would not end for minutes
    idle.delete(connection);
  };

  const getConnection = pool.getConnection.bind(pool);
  const take: typeof pool.getConnection = (done) => {
    getConnection((error, connection) => {
      const since = error ? undefined : idleSince.get(connection);
      idleSince.delete(connection); // one that is passed on from another request has not been idle
      if (since === undefined || performance.now() - since < CHECK_AFTER_MS) {
        done(error, connection);
        return;
      }
      void answers(connection).then((isAlive) => {
        if (isAlive) {
          done(null, connection);
        } else {
          close(connection);
          for (const other of idle) if ((idleSince.get(other) ?? 0) <= since) close(other);
          take(done);
        }
      });
    });
  };
  pool.getConnection = take;
}

function answers(connection: PoolConnection): Promise<boolean> {
  return new Promise((resolve) => {
    const timeout = setTimeout(resolve, ANSWER_WITHIN_MS, false);
    connection.ping((error) => {
      clearTimeout(timeout);
      resolve(!error);
    });
  });
}
