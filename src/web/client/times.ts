import { locale } from './texts.js';

const FORMAT = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' });

/** Shows times in the reader's own time zone and locale. */
export function tellLocalTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time')) {
    time.title = time.textContent;
    time.textContent = FORMAT.format(new Date(time.dateTime));
  }
}
