/**
 * Returns how to format a day and a time, with the year only if it is not that of `now`. To be called once: building
 * a format costs forty times as much as using it.
 */
export function shortTimesIn(locale: string, timeZone?: 'UTC'): (date: Date, now: Date) => string {
  const formatWith = (year?: 'numeric') =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year,
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
    });
  const [ofThisYear, ofOtherYears] = [formatWith(), formatWith('numeric')];
  const yearOf = (date: Date) => (timeZone === 'UTC' ? date.getUTCFullYear() : date.getFullYear());
  return (date, now) => (yearOf(date) === yearOf(now) ? ofThisYear : ofOtherYears).format(date);
}
