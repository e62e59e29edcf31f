import { QueryFailedError } from 'typeorm';

/** Another transaction won; the same work may succeed when tried again. The last is a multi-primary cluster's at commit. */
const LOST_RACES = ['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD', 'ER_ERROR_DURING_COMMIT'];

const UNAVAILABLE = [
  ...LOST_RACES,
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'POOL_CLOSED',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'ER_CON_COUNT_ERROR',
  'ER_DISK_FULL',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_QUERY_INTERRUPTED',
  'ER_RECORD_FILE_FULL',
  'ER_SERVER_SHUTDOWN',
  'ER_UNKNOWN_COM_ERROR',
];

const SQLITE_UNAVAILABLE = /^SQLITE_(ABORT_ROLLBACK|BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|READONLY)/;

/** The connection or the disk broke at the commit: nobody knows whether the work is kept. */
export class Unconfirmed extends QueryFailedError {}

/** The driver's code of a database failure, `""` for anything else. */
export function databaseErrorCode(error: unknown): string {
  const { driverError, code } = error as { driverError?: { code?: unknown }; code?: unknown };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : '';
}

export function isLostRace(error: unknown): boolean {
  return LOST_RACES.includes(databaseErrorCode(error));
}

/** Whether the database cannot serve now but may again soon. */
export function isUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return UNAVAILABLE.includes(code) || SQLITE_UNAVAILABLE.test(code) || isConnectionLost(error);
}

/** mysql2 marks what ended the connection, and gives no code to commands that come after its end. */
function isConnectionLost(error: unknown): boolean {
  const { driverError, fatal } = error as { driverError?: { fatal?: unknown }; fatal?: unknown };
  return (driverError?.fatal ?? fatal) === true;
}

/** Whether a statement that failed may have done its work: the connection broke, or the disk under it. */
export function isAnswerLost(error: unknown): boolean {
  return isConnectionLost(error) || databaseErrorCode(error).startsWith('SQLITE_IOERR');
}

/** Whether other rows still name the one that was to be deleted. */
export function isStillReferenced(error: unknown): boolean {
  return /^(ER_ROW_IS_REFERENCED(_2)?|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(databaseErrorCode(error));
}

/** Whether a row with the same unique value exists already. */
export function isDuplicate(error: unknown): boolean {
  return /^(ER_DUP_ENTRY|SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE))$/.test(databaseErrorCode(error));
}

/** Whether a row that the new one belongs to is gone. */
export function isOrphan(error: unknown): boolean {
  return /^(ER_NO_REFERENCED_ROW_2|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(databaseErrorCode(error));
}
