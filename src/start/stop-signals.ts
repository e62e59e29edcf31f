import { isatty } from 'node:tty';

/**
 * Signals on which the service stops. Nest's default also has those of crashes, such as SIGSEGV and SIGILL: a process
 * with a handler for them does not end when native code crashes, but runs into the same fault again and again.
 *
 * SIGHUP is sent when a terminal is closed, and then stops a service whose log is shown there. Any other goes on: it was
 * started with `nohup`, or something that rotates logs sends the signal.
 */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = isatty(1)
  ? ['SIGINT', 'SIGTERM', 'SIGHUP']
  : ['SIGINT', 'SIGTERM'];
