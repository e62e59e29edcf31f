/** A day and a time, with the year only if it is not that of `now`. */
export function shortTimeIn(locale: string, date: Date, now: Date, timeZone?: string): string {
  const year = (of: Date) => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(of);
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: year(date) === year(now) ? undefined : 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  return format.format(date);
}
