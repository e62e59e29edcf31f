import { locale, text } from './texts.js';

const UNITS = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** When to try again, in words; empty unless the server said so. @param retryAfter the header, in seconds */
export function waitingTime(retryAfter: string | null): string {
  const seconds = Number(retryAfter ?? NaN);
  if (!(seconds > 0)) return '';
  const [unit, length] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ['second', 1];
  const format = new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' });
  return text('script.tryAgainIn', { time: format.format(Math.ceil(seconds / length)) });
}
