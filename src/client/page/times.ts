import type { TimeFormat } from '../../texts/times.js';
import { timeIn } from '../../texts/times.js';
import { locale } from './texts.js';

/** Shows times in the reader's own time zone and locale. */
export function showLocalTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time')) {
    const date = new Date(time.dateTime);
    const format = time.dataset.format as TimeFormat | undefined;
    time.title = format ? localTime(date) : time.textContent;
    time.textContent = localTime(date, format);
  }
}

export function localTime(date: Date, format: TimeFormat = 'full'): string {
  return timeIn(locale(), format, { date, now: new Date() });
}
