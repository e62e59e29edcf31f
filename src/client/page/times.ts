import { shortTimesIn } from '../../texts/short-time.js';
import { locale } from './texts.js';

const FORMAT = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' });
const formatShort = shortTimesIn(locale());

/** Shows times in the reader's own time zone and locale. */
export function showLocalTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time')) {
    const date = new Date(time.dateTime);
    time.title = time.textContent;
    time.textContent = localTime(date, time.dataset);
  }
}

function localTime(date: Date, { short, weekday }: DOMStringMap): string {
  if (short !== undefined) return formatShort(date, new Date());
  return weekday === undefined ? FORMAT.format(date) : withWeekday(date);
}

/** A time with its weekday, and with the year only if it is another one. */
export function withWeekday(date: Date): string {
  return new Intl.DateTimeFormat(locale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(date);
}
