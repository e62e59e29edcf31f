import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import type { LogFormat } from '../settings/settings.js';
import { Stdout } from './stdout.js';
import { textLine } from './text-line.js';

const STDOUT = 1;

/** One of each format for all logs of the process. */
const destinations = new Map<LogFormat, DestinationStream>();

/**
 * Where the log is written: stdout, by default as text for people if that is a terminal, otherwise as JSON.
 * @param reportLost is called with the number of lines that were lost because they could not be written
 */
export function destinationOf(
  format: LogFormat = isatty(STDOUT) ? 'text' : 'json',
  reportLost: (lines: number) => void = () => undefined,
): DestinationStream {
  const destination = destinations.get(format) ?? open(format, reportLost);
  destinations.set(format, destination);
  return destination;
}

function open(format: LogFormat, reportLost: (lines: number) => void): DestinationStream {
  // to touch it makes a pipe non-blocking: a write to a full one would block a thread, and the exit of the process
  const { isTTY } = process.stdout;
  const stdout = new Stdout(reportLost);
  process.once('exit', () => {
    stdout.flush();
  });
  if (format === 'json') return stdout;

  const hasColors = isTTY && process.stdout.hasColors(); // false if NO_COLOR is set
  return {
    write: (line) => {
      stdout.write(textLine(line, hasColors));
    },
  };
}
