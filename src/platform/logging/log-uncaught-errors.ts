import type { Log } from './log.js';

/**
 * Logs an error that nothing has caught, or the reason of a promise that nothing has awaited, and exits with 1. Node.js
 * would exit as well, but print all fields of the error, such as the parameters of a statement, to stderr.
 */
export function logUncaughtErrors(log: Pick<Log, 'failure'>): void {
  process.on('uncaughtException', (error) => {
    log.failure('An error was not caught, so the process exits', error);
    process.exit(1);
  });
}
