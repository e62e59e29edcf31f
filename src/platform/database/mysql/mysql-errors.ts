import type { ErrorCodes } from '../errors/database-error.js';

/** Multi-primary clusters report the last two at commit. */
const CONFLICT = [
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'ER_ERROR_DURING_COMMIT', // Galera
  'ER_TRANSACTION_ROLLBACK_DURING_COMMIT', // Group Replication
];

const REFUSAL = [
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

const anyOf = (codes: string[]) => new RegExp(`^(${codes.join('|')})$`);

export const MYSQL_ERRORS: ErrorCodes = {
  conflict: anyOf(CONFLICT),
  refusal: anyOf(REFUSAL),
  unavailable: anyOf(UNAVAILABLE),
  outcomeUnknown: /^$/,
  duplicate: /^ER_DUP_ENTRY$/,
  missingParent: /^ER_NO_REFERENCED_ROW_2$/,
  stillReferenced: /^ER_ROW_IS_REFERENCED(_2)?$/,
  missingTable: /^ER_NO_SUCH_TABLE$/,
};
