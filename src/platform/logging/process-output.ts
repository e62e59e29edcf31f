import { format } from 'node:util';
import type { Log } from './log.js';

/**
 * Logs what libraries, such as cron, write to the console, and warnings of Node.js: lines of their own would break what
 * reads the log as JSON. Of errors only the stack is logged, because other fields of them can contain secrets.
 */
export function redirectConsole(log: Pick<Log, 'warn' | 'error'>): void {
  console.warn = (...parts: unknown[]) => {
    log.warn(textOf(parts));
  };
  console.error = (...parts: unknown[]) => {
    log.error(textOf(parts));
  };
  process.removeAllListeners('warning'); // Node.js prints them to stderr
  process.on('warning', ({ name, message }) => {
    log.warn(`${name}: ${message}`);
  });
}

function textOf(parts: unknown[]): string {
  return format(...parts.map((part) => (part instanceof Error ? part.stack : part)));
}

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
