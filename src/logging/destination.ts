import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import type { LogFormat } from '../settings/settings.js';
import { Stdout } from './stdout.js';
import { textLine } from './text-line.js';

const STDOUT = 1;

/** One of each format for all logs of the process. */
const destinations = new Map<LogFormat, DestinationStream>();

/** Where the log is written: stdout, by default as text for people if that is a terminal, otherwise as JSON. */
export function destinationOf(format: LogFormat = isatty(STDOUT) ? 'text' : 'json'): DestinationStream {
  const destination = destinations.get(format) ?? open(format);
  destinations.set(format, destination);
  return destination;
}

function open(format: LogFormat): DestinationStream {
  const stdout = new Stdout((lost) => {
    destination.write(lineAboutLost(lost));
  });
  process.once('exit', () => {
    stdout.flush();
  });
  // only of a terminal: to touch `process.stdout` would make a pipe refuse what is written while the pipe is full
  const hasColors = isatty(STDOUT) && process.stdout.hasColors(); // false if NO_COLOR is set
  const destination =
    format === 'json'
      ? stdout
      : {
          write: (line: string) => {
            stdout.write(textLine(line, hasColors));
          },
        };
  return destination;
}

function lineAboutLost(lines: number): string {
  const msg = 'Lines of the log are lost, because they could not be written';
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, msg })}\n`;
}
