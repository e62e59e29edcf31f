import { randomInt } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';
import { StartError } from '../../settings/start-error.js';
import { databaseErrorCode } from '../errors/database-error.js';

/** Short, because SQLite blocks the event loop while it waits; for longer waits, SqliteUnitOfWork sets a timer. */
export const SQLITE_BUSY_TIMEOUT_MS = 20;

const STARTING_BUSY_TIMEOUT_MS = 10_000;
const SYNCHRONOUS_FULL = 2;

/**
 * Sets up a new connection so that committed data survives a power loss and deleted data is overwritten with zeros.
 */
export function prepareSqlite(database: Database): void {
  database.pragma(`busy_timeout = ${STARTING_BUSY_TIMEOUT_MS}`);
  database.pragma('auto_vacuum = INCREMENTAL'); // only in a new file, before its first table: see FreePages
  switchToWal(database);
  database.pragma('synchronous = FULL');
  database.pragma('secure_delete = ON');
  database.pragma('temp_store = MEMORY'); // DATA_DIR may be the only writable folder
  database.pragma('cache_size = -4000'); // KiB; the operating system caches reads too
  database.pragma(`busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
  requireTransactions(database);

  // This is checked, because the library's own default with WAL is NORMAL, which loses commits in a power loss.
  if (database.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL) {
    throw new StartError('SQLite refuses to write synchronously, so commits could be lost in a power loss.');
  }
}

/**
 * Repeats the switch while another process switches the same new file. Then each of them may wait for the other's lock,
 * and SQLite fails with SQLITE_BUSY immediately in one of them, whatever the busy timeout.
 */
function switchToWal(database: Database): void {
  const deadline = performance.now() + STARTING_BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (databaseErrorCode(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, randomInt(5, 25));
    }
  }
}

const readOnly = new WeakSet<Database>();

/** Allows writes again after a transaction was lost. */
export function leaveReadOnly(database: Database): void {
  if (readOnly.delete(database)) database.pragma('query_only = OFF');
}

/**
 * When disk or memory fail, SQLite rolls back the whole transaction with the failed statement, even if that only reads.
 * Later statements would then be committed one by one, so the connection is read-only until `leaveReadOnly`.
 */
function requireTransactions(database: Database): void {
  const prepare = database.prepare.bind(database) as (sql: string) => Statement;
  const insideTransaction =
    <Arguments extends unknown[], Result>(run: (...values: Arguments) => Result) =>
    (...values: Arguments): Result => {
      const wasOpen = database.inTransaction;
      try {
        return run(...values);
      } catch (error) {
        if (wasOpen && !database.inTransaction) {
          database.pragma('query_only = ON');
          readOnly.add(database);
        }
        throw error;
      }
    };
  Object.assign(database, {
    prepare: (sql: string) => {
      const statement = prepare(sql);
      const [run, all] = [statement.run.bind(statement), statement.all.bind(statement)];
      return Object.assign(statement, { run: insideTransaction(run), all: insideTransaction(all) });
    },
  });
}
