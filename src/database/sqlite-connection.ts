import type { Database, Statement } from 'better-sqlite3';
import { StartError } from '../settings/start-error.js';

/** Short, because SQLite waits inside the event loop; longer waits are the unit of work's, by timer. */
export const SQLITE_BUSY_TIMEOUT_MS = 20;

const STARTING_BUSY_TIMEOUT_MS = 10_000;
const SYNCHRONOUS_FULL = 2;

/**
 * Makes a fresh connection durable and forgetful: what is acknowledged survives a power loss,
 * what is deleted is overwritten with zeros.
 */
export function prepareSqlite(database: Database): void {
  database.pragma(`busy_timeout = ${STARTING_BUSY_TIMEOUT_MS}`); // another process may be switching to WAL right now
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('secure_delete = ON');
  database.pragma('temp_store = MEMORY'); // there may be no other place to write to than DATA_DIR
  database.pragma('cache_size = -4000'); // KiB; the system keeps what has been read as well
  database.pragma(`busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
  guardTransactions(database);

  // Asked back, because the library's own default under WAL is NORMAL, which forgets commits in a power loss.
  if (database.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL) {
    throw new StartError('SQLite refuses to write synchronously; nothing it acknowledged would be safe.');
  }
}

const barred = new WeakSet<Database>();

/** Lifts what the loss of a transaction has brought about. */
export function writeAgain(database: Database): void {
  if (barred.delete(database)) database.pragma('query_only = OFF');
}

/**
 * A statement that fails can take the transaction along, also one that only reads: SQLite does so where disk or memory
 * fail. Those that come after it would be kept one by one; so nothing is written until `writeAgain`.
 */
function guardTransactions(database: Database): void {
  const prepare = database.prepare.bind(database) as (sql: string) => Statement;
  const guarded =
    <Arguments extends unknown[], Result>(run: (...values: Arguments) => Result) =>
    (...values: Arguments): Result => {
      const wasOpen = database.inTransaction;
      try {
        return run(...values);
      } catch (error) {
        if (wasOpen && !database.inTransaction) {
          database.pragma('query_only = ON');
          barred.add(database);
        }
        throw error;
      }
    };
  Object.assign(database, {
    prepare: (sql: string) => {
      const statement = prepare(sql);
      const [run, all] = [statement.run.bind(statement), statement.all.bind(statement)];
      return Object.assign(statement, { run: guarded(run), all: guarded(all) });
    },
  });
}
