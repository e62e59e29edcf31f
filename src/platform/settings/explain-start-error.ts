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
