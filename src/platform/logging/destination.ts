import type { DestinationStream } from 'pino';
import type { LogFormat } from '../settings/settings.js';
import { Stdout } from './stdout.js';
import { textLine } from './text-line.js';

/** One for all logs of the process. */
let stdout: Stdout | undefined;

/**
 * Where the log is written: stdout, by default as text for people if that is a terminal, otherwise as JSON.
 * @param reportLost is called with the number of lines that were lost because they could not be written
 */
export function destinationOf(
  format: LogFormat | undefined,
  reportLost: (lines: number) => void,
): DestinationStream {
  // reading it makes a pipe non-blocking: a write to a full one would block a thread, and the exit of the process
  const { isTTY } = process.stdout;
  const lines = (stdout ??= open(reportLost));
  if ((format ?? (isTTY ? 'text' : 'json')) === 'json') return lines;

  const hasColors = isTTY && process.stdout.hasColors(); // false if NO_COLOR is set
  return {
    write: (line) => {
      lines.write(textLine(line, hasColors));
    },
  };
}

function open(reportLost: (lines: number) => void): Stdout {
  const opened = new Stdout(reportLost);
  process.once('exit', () => {
    opened.flush();
  });
  return opened;
}
