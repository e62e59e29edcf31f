/**
 * - `full`: day, month, year and time
 * - `short`: without the year, if that is the current one
 * - `weekday`: `short` with the day of the week
 * - `named`: “today at 9:24 AM”, also yesterday and tomorrow, otherwise `weekday`
 * - `deadline`: `named` for these three days, otherwise the day alone
 * - `brief`: the time alone if it is today, otherwise the day alone
 * - `end`: “in 42 minutes” in the next hour, `named` for the rest of the day, “tomorrow”, otherwise the day alone
 * - `recent`: `named` for yesterday, today and tomorrow, otherwise `short`
 * - `day`: “today”, “yesterday”, or the day alone
 * - `clock`: the time alone
 */
export type TimeFormat =
  'full' | 'short' | 'weekday' | 'named' | 'deadline' | 'brief' | 'end' | 'recent' | 'day' | 'clock';

interface When {
  date: Date;
  now: Date;
  /** That of the reader, unless it is given. */
  timeZone?: string;
}

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function timeIn(locale: string, format: TimeFormat, when: When): string {
  return inWords(locale, format, when).replace(BEFORE_AM_OR_PM, NO_BREAK_SPACE);
}

const NO_BREAK_SPACE = '\u00a0';
const BEFORE_AM_OR_PM = /(?<=:\d\d) (?=\p{L})/u;

function inWords(locale: string, format: TimeFormat, when: When): string {
  switch (format) {
    case 'named':
      return isNamed(when) ? namedTime(locale, when) : dated(locale, 'weekday', when);
    case 'recent':
      return isNamed(when) ? namedTime(locale, when) : dated(locale, 'short', when);
    case 'deadline':
      return isNamed(when) ? namedTime(locale, when) : dayAlone(locale, 'long', when);
    case 'brief':
      return daysFromNow(when) === 0 ? clock(locale, when) : dayAlone(locale, 'short', when);
    case 'end':
      return endIn(locale, when);
    case 'day':
      return isNamed(when) ? namedDay(locale, when) : dayAlone(locale, 'long', when);
    case 'clock':
      return clock(locale, when);
    default:
      return dated(locale, format, when);
  }
}

/** Whether a time in this format has an hour, so that it depends on the time zone by more than its day. */
export function showsClock(format: TimeFormat, when: When): boolean {
  if (format === 'end') return !isInNextHour(when) && daysFromNow(when) === 0;
  if (format === 'deadline') return isNamed(when);
  return format === 'brief' ? daysFromNow(when) === 0 : format !== 'day';
}

function endIn(locale: string, when: When): string {
  if (isInNextHour(when)) {
    const minutes = Math.max(1, Math.round((when.date.getTime() - when.now.getTime()) / MINUTE_MS));
    return relative(locale, 'always').format(minutes, 'minute');
  }
  const days = daysFromNow(when);
  if (days === 0) return namedTime(locale, when);
  return days === 1 ? namedDay(locale, when) : dayAlone(locale, 'short', when);
}

function isInNextHour({ date, now }: When): boolean {
  const left = date.getTime() - now.getTime();
  return left >= 0 && left < HOUR_MS;
}

function isNamed(when: When): boolean {
  return Math.abs(daysFromNow(when)) <= 1;
}

/** By the calendar: tomorrow is 1. */
function daysFromNow({ date, now, timeZone }: When): number {
  const day = formatter('sv', { dateStyle: 'short', timeZone }); // such as 2026-11-30
  return (Date.parse(day.format(date)) - Date.parse(day.format(now))) / DAY_MS;
}

function namedDay(locale: string, when: When): string {
  return relative(locale, 'auto').format(daysFromNow(when), 'day');
}

function namedTime(locale: string, when: When): string {
  return namedDay(locale, when) + beforeClock(locale) + clock(locale, when);
}

function clock(locale: string, { date, timeZone }: When): string {
  return formatter(locale, { hour: hourOf(locale), minute: '2-digit', timeZone }).format(date);
}

function dayAlone(locale: string, month: 'short' | 'long', { date, now, timeZone }: When): string {
  const year = yearOf(date, timeZone) === yearOf(now, timeZone) ? undefined : 'numeric';
  return formatter(locale, { day: 'numeric', month, year, timeZone }).format(date);
}

const joints = new Map<string, string>();

/** What stands between a day and a time of day, such as “ at ”. */
function beforeClock(locale: string): string {
  const known = joints.get(locale);
  if (known !== undefined) return known;
  const whole = formatter(locale, { dateStyle: 'long', timeStyle: 'short' }).format(0);
  const day = formatter(locale, { dateStyle: 'long' }).format(0);
  const time = formatter(locale, { timeStyle: 'short' }).format(0);
  const isBetween = whole.startsWith(day) && whole.endsWith(time);
  const joint = isBetween ? whole.slice(day.length, whole.length - time.length) : ' ';
  joints.set(locale, joint);
  return joint;
}

function dated(locale: string, format: 'full' | 'short' | 'weekday', when: When): string {
  return formatter(locale, optionsOf(locale, format, when)).format(when.date);
}

function optionsOf(
  locale: string,
  format: 'full' | 'short' | 'weekday',
  when: When,
): Intl.DateTimeFormatOptions {
  const { date, now, timeZone } = when;
  if (format === 'full') return { dateStyle: 'medium', timeStyle: 'short', timeZone };
  const hour = hourOf(locale);
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

const relatives = new Map<string, Intl.RelativeTimeFormat>();

function relative(locale: string, numeric: 'always' | 'auto'): Intl.RelativeTimeFormat {
  const key = `${locale} ${numeric}`;
  const known = relatives.get(key) ?? new Intl.RelativeTimeFormat(locale, { numeric });
  relatives.set(key, known);
  return known;
}
