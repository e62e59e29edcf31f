/** The formats in which a log is downloaded, with their media types. */
export const LOG_FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8; header=present' };

export type LogFormat = keyof typeof LOG_FORMATS;

export function isLogFormat(format: unknown): format is LogFormat {
  return typeof format === 'string' && Object.hasOwn(LOG_FORMATS, format);
}

/** What comes before the lines. */
export function logHead(format: LogFormat, columns: readonly string[]): string {
  return format === 'csv' ? csvLine(columns) : '';
}

/** The lines of some rows, each with its line break: JSON, or CSV as RFC 4180 has it, with these columns. */
export function logLines(format: LogFormat, rows: readonly object[], columns: readonly string[]): string {
  const lines = rows.map((row) =>
    format === 'csv'
      ? csvLine(columns.map((column) => (row as Record<string, unknown>)[column]))
      : `${JSON.stringify(row)}\n`,
  );
  return lines.join('');
}

function csvLine(values: readonly unknown[]): string {
  return `${values.map((value) => `"${harmless(textOf(value)).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * What a spreadsheet takes for the start of a formula, also in the full width of East Asian scripts, and after blanks or
 * invisible characters. Where the list separator is a semicolon or a tab, such a spreadsheet begins a cell there too.
 */
const FORMULA = /(^|[;\t\r\n])(?=[\s\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/gu;

/** The text with an apostrophe before each start of a formula: spreadsheets show what follows as it is. */
function harmless(text: string): string {
  return text.replace(FORMULA, "$1'");
}
