import { QueryFailedError } from 'typeorm';

/** A conflict with another transaction; a retry may succeed. Multi-primary clusters report the last two at commit. */
const RETRYABLE_CODES = [
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'ER_ERROR_DURING_COMMIT', // Galera
  'ER_TRANSACTION_ROLLBACK_DURING_COMMIT', // Group Replication
];

/** The server does not write at the moment, or is not part of its cluster. Another one may have taken over its address. */
const REFUSED_BY_SERVER = [
  'ER_BEFORE_DML_VALIDATION_ERROR', // Group Replication, while another primary is appointed
  'ER_OPTION_PREVENTS_STATEMENT', // read_only, super_read_only; also Aurora
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', // transaction_read_only
  'ER_READ_ONLY_MODE', // innodb_read_only
  'ER_INNODB_READ_ONLY',
  'ER_OPEN_AS_READONLY', // innodb_read_only on MariaDB
  'ER_SERVER_OFFLINE_MODE', // also a member that has left its Group Replication
  'ER_RUN_HOOK_ERROR', // Group Replication
  'ER_GR_HOLD_WAIT_TIMEOUT',
  'ER_GRP_TRX_CONSISTENCY_NOT_ALLOWED',
  'ER_GRP_TRX_CONSISTENCY_BEFORE',
  'ER_GRP_TRX_CONSISTENCY_AFTER_ON_TRX_BEGIN',
  'ER_GRP_TRX_CONSISTENCY_BEGIN_NOT_ALLOWED',
  'ER_UNKNOWN_COM_ERROR', // Galera
];

const UNAVAILABLE = [
  ...RETRYABLE_CODES,
  ...REFUSED_BY_SERVER,
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
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_USER_LIMIT_REACHED',
  'ER_MAX_PREPARED_STMT_COUNT_REACHED',
  'ER_DISK_FULL',
  'ER_QUERY_INTERRUPTED',
  'ER_RECORD_FILE_FULL',
  'ER_SERVER_SHUTDOWN',
];

const SQLITE_UNAVAILABLE = /^SQLITE_(ABORT_ROLLBACK|BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|READONLY)/;

/** The connection or the disk failed during the commit: it is unknown whether the transaction was committed. */
export class CommitOutcomeUnknown extends QueryFailedError {}

/** The driver's code of a database error, `""` for any other error. */
export function databaseErrorCode(error: unknown): string {
  const { driverError, code } = error as { driverError?: { code?: unknown }; code?: unknown };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : '';
}

export function isRetryableConflict(error: unknown): boolean {
  return RETRYABLE_CODES.includes(databaseErrorCode(error));
}

/** Whether the server refuses what another one may accept. Nothing of the transaction is committed. */
export function isRefusedByServer(error: unknown): boolean {
  return REFUSED_BY_SERVER.includes(databaseErrorCode(error));
}

/** Whether the database is unavailable now but may be available again soon. */
export function isUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return UNAVAILABLE.includes(code) || SQLITE_UNAVAILABLE.test(code) || isConnectionLost(error);
}

/** mysql2 marks errors that end the connection as fatal, and later commands fail without a code. */
function isConnectionLost(error: unknown): boolean {
  const { driverError, fatal } = error as { driverError?: { fatal?: unknown }; fatal?: unknown };
  return (driverError?.fatal ?? fatal) === true;
}

/** Whether a failed statement may have taken effect: the connection was lost, or the disk failed. */
export function mayHaveCommitted(error: unknown): boolean {
  return isConnectionLost(error) || databaseErrorCode(error).startsWith('SQLITE_IOERR');
}

/** Whether other rows still refer to the row that was to be deleted. */
export function isStillReferenced(error: unknown): boolean {
  return /^(ER_ROW_IS_REFERENCED(_2)?|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(databaseErrorCode(error));
}

/** Whether a row with the same unique value already exists. */
export function isDuplicate(error: unknown): boolean {
  return /^(ER_DUP_ENTRY|SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE))$/.test(databaseErrorCode(error));
}

/** Whether a row that the new one refers to no longer exists. */
export function isMissingParent(error: unknown): boolean {
  return /^(ER_NO_REFERENCED_ROW_2|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(databaseErrorCode(error));
}

/** Whether a statement names a table that does not exist. */
export function isMissingTable(error: unknown): boolean {
  return databaseErrorCode(error) === 'ER_NO_SUCH_TABLE' || /\bno such table\b/.test(String(error));
}
