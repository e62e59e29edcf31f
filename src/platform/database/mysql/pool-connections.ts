import type { Pool, PoolConnection, PoolOptions } from 'mysql2';
import {
  ANSWER_WITHIN_MS,
  CHECK_AFTER_MS,
  IDLE_TIMEOUT_MS,
  KEEP_ALIVE_AFTER_MS,
} from '../engine/server-connections.js';
import { streamOf } from './query-timeouts.js';
import { isRefusedByServer } from '../errors/database-error.js';

/** The pool closes idle connections only when `maxIdle` is below its size. */
export function idleOptions(poolSize: number): PoolOptions {
  return {
    enableKeepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
    maxIdle: Math.max(poolSize - 1, 1),
    idleTimeout: IDLE_TIMEOUT_MS,
    gracefulEnd: true,
  };
}

/** The open connections of a pool that nothing uses, the longest idle first; kept up to date. */
function idleConnectionsOf(pool: Pool): Set<PoolConnection> {
  const idle = new Set<PoolConnection>();
  pool.on('connection', (connection) => {
    streamOf(connection).once('close', () => idle.delete(connection));
  });
  pool.on('acquire', (connection) => idle.delete(connection));
  pool.on('release', (connection) => idle.add(connection));
  return idle;
}

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
