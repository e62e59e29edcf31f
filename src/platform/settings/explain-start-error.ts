import { StartError } from './start-error.js';

interface ListenError extends NodeJS.ErrnoException {
  address?: string;
  port?: number;
  hostname?: string;
  /** The error of a statement. */
  driverError?: NodeJS.ErrnoException;
}

/** What says that a disk is full, for a file and in each database. */
const DISK_FULL = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL'];

/** What says that a database server does not write. */
const READ_ONLY = [
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
  'ER_READ_ONLY_MODE',
  'ER_INNODB_READ_ONLY',
  'ER_OPEN_AS_READONLY',
];

/** SQLite needs the locks and the shared memory of a local disk: https://sqlite.org/wal.html */
const ON_A_LOCAL_DISK = 'Put DATA_DIR on a local disk, or use a database server (DATABASE_URL).';

/** Why the service did not start: one line if the reason is known, otherwise the stack trace. */
export function explainStartError(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { cause } = error as Error;
  if (cause instanceof StartError) return cause.message;

  const { message, address, port, hostname, stack, driverError } = error as ListenError;
  const duplicates = /^Conflicting HTTP routes/.test(message) && message.match(/Duplicate route: .+/g);
  if (duplicates) return duplicates.join(' ');
  const { code = '' } = driverError ?? (error as ListenError);
  if (DISK_FULL.includes(code)) return `The disk is full (${code}). Free space on it, and try again.`;
  if (READ_ONLY.includes(code))
    return `The database server is read-only (${code}), and a start has to write. Use the primary server, or set read_only = OFF.`;
  if (/^SQLITE_(BUSY|PROTOCOL)/.test(code))
    return `The database in DATA_DIR cannot be locked (${code}): another program keeps it locked, or DATA_DIR is on a network share or file system that refuses locks. ${ON_A_LOCAL_DISK}`;
  if (/^SQLITE_IOERR_(CHECKRESERVEDLOCK|(RD|UN)?LOCK|SHM)/.test(code))
    return `The database in DATA_DIR cannot be locked or shared (${code}): DATA_DIR is probably on a network share or file system that has no locks or no shared memory. ${ON_A_LOCAL_DISK}`;
  if (code.startsWith('SQLITE_IOERR'))
    return `The database in DATA_DIR cannot be read or written (${code}): its disk is full or fails.`;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port ?? ''} of ${address ?? ''} is in use. Stop what listens there, or set PORT.`;
    case 'EACCES':
    case 'EADDRNOTAVAIL':
      return `Cannot listen on ${address ?? ''}:${port ?? ''} (${code}). Set HOST and PORT.`;
    case 'EAI_AGAIN':
    case 'ENOTFOUND':
      return `Cannot listen on ${hostname ?? ''}: no such host (${code}). Set HOST.`;
    default:
      return stack ?? String(error);
  }
}
