import { styleText } from 'node:util';

/**
 * Characters that could end a line, send a command to a terminal, or change the order in which text is shown: control
 * and format characters, line and paragraph separators, and halves of surrogate pairs.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** One line of text without such characters: they are escaped, as `\n` or `\u{202e}`. */
function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}` : escaped;
  });
}

/** What pino writes, as JSON. All other properties are facts of the event. */
interface LogLine {
  level: string;
  time: string;
  msg: string;
  process?: string;
  requestId?: string;
  stack?: string;
}

const LEVEL_COLORS: Record<string, 'red' | 'yellow' | 'green' | 'gray'> = {
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'gray',
};
const LONGEST_LEVEL = 5;

/** Values that need no quotes: they have no space, and cannot be mistaken for another field. */
const PLAIN = /^[\w./:@%+,[\]-]+$/;

/** Sweden writes 2026-11-22 19:42:01; the time zone is that of the machine. */
const TIME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/**
 * A line of the log for people: time, level, message, `key=value` for each fact. A stack trace follows in indented
 * lines, so that nothing in an error message looks like a line of its own.
 */
export function textLine(json: string, hasColors: boolean): string {
  const { level, time, msg, process, requestId, stack, ...facts } = JSON.parse(json) as LogLine;
  const style = (color: Parameters<typeof styleText>[0], text: string) =>
    hasColors ? styleText(color, text, { validateStream: false }) : text;
  const fields = Object.entries({ ...facts, requestId })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${style('dim', `${printable(key)}=`)}${valueText(value)}`);
  const head = [
    TIME.format(new Date(time)),
    style(LEVEL_COLORS[level] ?? 'gray', printable(level).toUpperCase().padEnd(LONGEST_LEVEL)),
    ...(process === undefined ? [] : [printable(process)]),
    printable(msg),
    ...(fields.length > 0 ? ['', ...fields] : []), // two spaces before the facts
  ].join(' ');
  const trace = stack?.split('\n').map((line) => `    ${printable(line)}`) ?? [];
  return `${[head, ...trace].join('\n')}\n`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return value;
  return printable(JSON.stringify(value));
}
