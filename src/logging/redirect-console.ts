import { format } from 'node:util';
import type { Log } from './log.js';

/** Logs what libraries, such as cron, write to the console: lines of their own would break what reads the log as JSON. */
export function redirectConsole(log: Pick<Log, 'warn' | 'error'>): void {
  console.warn = (...parts: unknown[]) => {
    log.warn(format(...parts));
  };
  console.error = (...parts: unknown[]) => {
    log.error(format(...parts));
  };
}
