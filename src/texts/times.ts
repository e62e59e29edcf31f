/**
 * - `full`: day, month, year and time
 * - `short`: without the year, if that is the current one
 * - `weekday`: `short` with the day of the week
 * - `soon`: day of the week and time for the next six days, otherwise `short`
 */
export type TimeFormat = 'full' | 'short' | 'weekday' | 'soon';

interface When {
  date: Date;
  now: Date;
  /** That of the reader, unless it is given. */
  timeZone?: string;
}

const SOON_MS = 6 * 24 * 60 * 60 * 1000;

export function timeIn(locale: string, format: TimeFormat, when: When): string {
  return formatter(locale, optionsOf(locale, format, when)).format(when.date);
}

function optionsOf(locale: string, format: TimeFormat, when: When): Intl.DateTimeFormatOptions {
  const { date, now, timeZone } = when;
  if (format === 'full') return { dateStyle: 'medium', timeStyle: 'short', timeZone };
  const hour = hourOf(locale);
  const isSoon = format === 'soon' && date.getTime() - now.getTime() < SOON_MS;
  if (isSoon) return { weekday: 'long', hour, minute: '2-digit', timeZone };
  const year = yearOf(date, timeZone) === yearOf(now, timeZone) ? undefined : 'numeric';
  return format === 'weekday'
    ? { weekday: 'long', day: 'numeric', month: 'long', year, hour, minute: '2-digit', timeZone }
    : { day: 'numeric', month: 'short', year, hour, minute: '2-digit', timeZone };
}

const hours = new Map<string, 'numeric' | '2-digit'>();

/** With two digits where the day has 24 hours, which `numeric` writes beside a time but not beside a date. */
function hourOf(locale: string): 'numeric' | '2-digit' {
  const hasTwelve = () => formatter(locale, { hour: 'numeric' }).resolvedOptions().hour12;
  const hour = hours.get(locale) ?? (hasTwelve() ? 'numeric' : '2-digit');
  hours.set(locale, hour);
  return hour;
}

function yearOf(date: Date, timeZone?: string): string {
  return formatter('en', { year: 'numeric', timeZone }).format(date);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Made once for each, which takes longer than its use. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return known;
}
