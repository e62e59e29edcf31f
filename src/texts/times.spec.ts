import type { TimeFormat } from './times.js';
import { timeIn } from './times.js';

const NOW = new Date('2026-11-30T12:00:00Z'); // a Monday

/** What stands before the time, by the version of Unicode's data. */
const VERSIONS_DIFFER = /,? (at )?(?=\d+:)/;

describe('A time in words', () => {
  it.each<[locale: string, format: TimeFormat, date: string, words: string]>([
    ['en-GB', 'full', '2026-12-02T22:40:00Z', '2 Dec 2026 22:40'],
    ['en-GB', 'short', '2026-12-02T22:40:00Z', '2 Dec 22:40'],
    ['en-GB', 'short', '2027-01-02T22:40:00Z', '2 Jan 2027 22:40'],
    ['en-GB', 'weekday', '2026-12-02T22:40:00Z', 'Wednesday 2 December 22:40'],
    ['en-GB', 'weekday', '2027-01-02T22:40:00Z', 'Saturday, 2 January 2027 22:40'],
    ['en-GB', 'soon', '2026-12-06T11:59:00Z', 'Sunday 11:59'],
    ['en-GB', 'soon', '2026-12-06T12:01:00Z', '6 Dec 12:01'],
    ['de-DE', 'soon', '2026-12-05T22:40:00Z', 'Samstag 22:40'],
    ['de-DE', 'soon', '2027-01-02T22:40:00Z', '2. Jan. 2027 22:40'],
    ['de', 'short', '2026-12-03T01:38:00Z', '3. Dez. 01:38'],
    ['de', 'weekday', '2026-12-03T01:38:00Z', 'Donnerstag, 3. Dezember um 01:38'],
    ['en-GB', 'weekday', '2026-12-03T01:38:00Z', 'Thursday 3 December 01:38'],
    ['en', 'weekday', '2026-12-03T01:38:00Z', 'Thursday, December 3 1:38 AM'],
  ])('in %s, %s, of %s is %s', (locale, format, date, words) => {
    const time = timeIn(locale, format, { date: new Date(date), now: NOW, timeZone: 'UTC' });
    expect(time.replace(VERSIONS_DIFFER, ' ')).toBe(words);
  });

  it('is that of the time zone, with its year', () => {
    const date = new Date('2026-12-31T23:30:00Z');
    const inBerlin = { date, now: NOW, timeZone: 'Europe/Berlin' };
    expect(timeIn('en-GB', 'short', inBerlin)).toContain('1 Jan 2027');
  });

  it('is formatted without building a format, because a list has hundreds', () => {
    timeIn('en-GB', 'short', { date: NOW, now: NOW });
    const formats = jest.spyOn(Intl, 'DateTimeFormat');
    timeIn('en-GB', 'short', { date: new Date('2026-01-01T00:00:00Z'), now: NOW });

    expect(formats).not.toHaveBeenCalled();
    formats.mockRestore();
  });
});
