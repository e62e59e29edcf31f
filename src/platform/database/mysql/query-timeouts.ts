import type { Socket } from 'node:net';
import type { Pool, PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';
import { MAX_WAIT_MS } from '../engine/server-connections.js';

/**
 * Limits how long statements, and requests for a free connection, wait for a server that stops responding without
 * closing its connections. Not used for migrations, which may take longer.
 */
export function setQueryTimeouts({ driver }: DataSource): void {
  const { pool } = driver as unknown as { pool?: Pool };
  if (!pool) return; // SQLite

  limitStatements(pool);
  limitQueue(pool);
}

/** Closes a connection that is in use and on which nothing is received. */
function limitStatements(pool: Pool): void {
  const watched = new WeakSet<Socket>();
  pool.on('acquire', (connection) => {
    const stream = streamOf(connection);
    stream.setTimeout(MAX_WAIT_MS);
    if (!watched.has(stream))
      stream.on('timeout', () => stream.destroy(timedOut('The database does not respond')));
    watched.add(stream);
  });
  pool.on('release', (connection) => {
    streamOf(connection).setTimeout(0);
  });
}

/** Rejects a request for a connection when none becomes free in time. */
function limitQueue(pool: Pool): void {
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = (done) => {
    let isOver = false;
    const timeout = setTimeout(() => {
      isOver = true;
      done(timedOut('No connection to the database is free'), undefined as unknown as PoolConnection);
    }, MAX_WAIT_MS);
    getConnection((error, connection) => {
      clearTimeout(timeout);
      if (!isOver) {
        done(error, connection);
      } else if (!error) {
        connection.release();
      }
    });
  };
}

/** The socket of a connection, which the types of mysql2 do not have. */
export function streamOf(connection: PoolConnection): Socket {
  return (connection as unknown as { stream: Socket }).stream;
}

function timedOut(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
