const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Tells times in the reader's own zone and manner. */
export function tellLocalTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time')) {
    time.title = time.textContent;
    time.textContent = FORMAT.format(new Date(time.dateTime));
  }
}
