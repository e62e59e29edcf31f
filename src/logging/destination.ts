import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import pino from 'pino';
import type { LogFormat } from '../settings/settings.js';
import { textLine } from './text-line.js';

const STDOUT = 1;

/** Where the log is written: stdout, by default as text for people if that is a terminal, otherwise as JSON. */
export function destinationOf(format: LogFormat | undefined): DestinationStream {
  const isTerminal = isatty(STDOUT);
  // lines logged during a write are written together; each copies the previous ones in its chunk, so chunks are small
  const stdout = pino.destination({ dest: STDOUT, sync: false, maxWrite: 4096 });
  if ((format ?? (isTerminal ? 'text' : 'json')) === 'json') return stdout;

  // only of a terminal: to touch `process.stdout` would make a pipe refuse what pino writes while the pipe is full
  const hasColors = isTerminal && process.stdout.hasColors(); // false if NO_COLOR is set
  return { write: (line) => void stdout.write(textLine(line, hasColors)) };
}
