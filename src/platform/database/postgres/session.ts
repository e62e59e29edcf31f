import { MAX_WAIT_MS } from '../engine/server-connections.js';

const LOCK_WAIT_MS = 5000;
/** Longer than any transaction of the service waits for anything: the process no longer runs, and its locks block others. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * Each statement sees all committed data, texts, times and bytes are read and written in one way, and nothing ends for the
 * time it takes, whatever the defaults of the server and of its user.
 */
export const SESSION = {
  client_encoding: 'UTF8',
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read\\ committed',
  // Each query has an index; the default, which is for turning disks, lets a count scan the table of all owners instead.
  random_page_cost: '1.1',
  statement_timeout: '0',
  idle_session_timeout: '0',
};

export const WAITS = {
  statement_timeout: String(MAX_WAIT_MS),
  lock_timeout: String(LOCK_WAIT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
};

/** The same for one transaction, where a pooler gives each to another session. */
export const WAITS_OF_TRANSACTION = `SELECT ${Object.entries(WAITS)
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')}`;

/** For the beginning of a connection. */
export function optionsOf(session: Record<string, string>): string {
  return Object.entries(session)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
