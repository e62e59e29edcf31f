import { existsSync, readFileSync } from 'node:fs';

/** What of `\x` within double quotes stands for `x` alone. */
const ESCAPABLE = '"\\`$';

/**
 * The variables of a file that systemd reads as `EnvironmentFile=`: one `NAME=value` per line. A value may be quoted;
 * `#` begins a comment only at the start of a line, and a backslash at the end of a line joins the next one to it.
 */
export function parseEnvironmentFile(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const [line] = /^[^\r\n]*/.exec(text.slice(at)) ?? [''];
    const [start, name = ''] = /^[ \t]*([^ \t#;][^=]*?)[ \t]*=/.exec(line) ?? [];
    if (start === undefined) at += line.length + 1;
    else {
      const { value, end } = readValue(text, at + start.length);
      if (/^[A-Za-z_]\w*$/.test(name)) variables.set(name, value);
      at = end;
    }
  }
  return variables;
}

/** Reads a value up to the end of its line, which may be several lines further on. */
function readValue(text: string, start: number): { value: string; end: number } {
  let value = '';
  let kept = 0; // what is before it was quoted or escaped: its white space stays
  let isPlain = false; // quotes count only before the first unquoted character
  let at = start;
  for (; at < text.length && !'\r\n'.includes(text.charAt(at)); at++) {
    const character = text.charAt(at);
    if (!isPlain && /\s/.test(character)) continue;
    if (!isPlain && (character === "'" || character === '"')) {
      const quoted = readQuoted(text, at + 1, character);
      value += quoted.value;
      kept = value.length;
      at = quoted.end;
    } else {
      isPlain = true;
      const isEscape = character === '\\';
      if (isEscape) at += 1;
      const shown = isEscape ? text.charAt(at).replace(/[\r\n]/, '') : character;
      value += shown;
      if (isEscape) kept = value.length;
    }
  }
  return { value: value.slice(0, kept) + value.slice(kept).trimEnd(), end: at + 1 };
}

function readQuoted(text: string, start: number, quote: string): { value: string; end: number } {
  let value = '';
  let at = start;
  for (; at < text.length && text.charAt(at) !== quote; at++) {
    if (quote === '"' && text.charAt(at) === '\\') {
      at += 1;
      const escaped = text.charAt(at);
      if (escaped !== '\n') value += ESCAPABLE.includes(escaped) ? escaped : `\\${escaped}`;
    } else value += text.charAt(at);
  }
  return { value, end: at };
}

/** Commands of a shell that set the variables of a file, if it exists, unless they are set already. */
export function shellCommands(path: string, environment: NodeJS.ProcessEnv): string {
  if (!existsSync(path)) return '';
  return Array.from(parseEnvironmentFile(readFileSync(path, 'utf8')))
    .filter(([name]) => environment[name] === undefined)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    .join('');
}
