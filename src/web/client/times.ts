const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows times in the reader's own time zone and locale. */
export function tellLocalTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time')) {
    time.title = time.textContent;
    time.textContent = FORMAT.format(new Date(time.dateTime));
  }
}
