import type { Database } from 'better-sqlite3';
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
  database.pragma(`busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);

  // Asked back, because the library's own default under WAL is NORMAL, which forgets commits in a power loss.
  if (database.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL) {
    throw new StartError('SQLite refuses to write synchronously; nothing it acknowledged would be safe.');
  }
}
