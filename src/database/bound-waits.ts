import type { Socket } from 'node:net';
import type { Pool, PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';

/** As long as units of work are patient; longer than a statement waits for a lock. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Lets nothing wait for ever on a server that has fallen silent without closing its connections: neither a statement
 * nor whoever waits for a free connection. Not for migrations, which may take their time.
 */
export function boundWaits({ driver }: DataSource): void {
  const { pool } = driver as unknown as { pool?: Pool };
  if (!pool) return; // SQLite

  boundSilence(pool);
  boundLine(pool);
}

/** A connection on which nothing is heard while someone uses it is given up. */
function boundSilence(pool: Pool): void {
  const watched = new WeakSet<Socket>();
  pool.on('acquire', (connection) => {
    const stream = streamOf(connection);
    stream.setTimeout(LONGEST_WAIT_MS);
    if (!watched.has(stream)) stream.on('timeout', () => stream.destroy(timedOut('The database is silent')));
    watched.add(stream);
  });
  pool.on('release', (connection) => {
    streamOf(connection).setTimeout(0);
  });
}

/** Whoever comes when all connections are in use is refused after a while. */
function boundLine(pool: Pool): void {
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = (done) => {
    let isOver = false;
    const patience = setTimeout(() => {
      isOver = true;
      done(timedOut('No connection to the database is free'), undefined as unknown as PoolConnection);
    }, LONGEST_WAIT_MS);
    getConnection((error, connection) => {
      clearTimeout(patience);
      if (!isOver) {
        done(error, connection);
      } else if (!error) {
        connection.release();
      }
    });
  };
}

function streamOf(connection: PoolConnection): Socket {
  return (connection as unknown as { stream: Socket }).stream;
}

function timedOut(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
