import type { TimeFormat } from './times.js';
import { showsClock, timeIn } from './times.js';

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
    ['en-GB', 'deadline', '2026-11-29T22:40:00Z', 'yesterday 22:40'],
    ['en', 'deadline', '2026-11-30T10:13:00Z', 'today 10:13\u00a0AM'],
    ['de', 'deadline', '2026-12-01T00:30:00Z', 'morgen um 00:30'],
    ['ja', 'deadline', '2026-11-30T10:13:00Z', '今日 10:13'],
    ['ar-u-nu-latn', 'deadline', '2026-12-01T10:13:00Z', 'غدًا في 10:13\u00a0ص'],
    ['en', 'deadline', '2026-12-05T10:13:00Z', 'December 5'],
    ['de', 'deadline', '2027-01-05T10:13:00Z', '5. Januar 2027'],
    ['de', 'short', '2026-12-03T01:38:00Z', '3. Dez. 01:38'],
    ['de', 'weekday', '2026-12-03T01:38:00Z', 'Donnerstag, 3. Dezember um 01:38'],
    ['en-GB', 'weekday', '2026-12-03T01:38:00Z', 'Thursday 3 December 01:38'],
    ['en', 'weekday', '2026-12-03T01:38:00Z', 'Thursday, December 3 1:38\u00a0AM'],
    ['en', 'named', '2026-11-30T01:38:00Z', 'today 1:38\u00a0AM'],
    ['en', 'named', '2026-11-29T23:59:00Z', 'yesterday 11:59\u00a0PM'],
    ['de', 'named', '2026-12-01T00:00:00Z', 'morgen um 00:00'],
    ['ja', 'named', '2026-11-30T01:38:00Z', '今日 01:38'],
    ['ar-u-nu-latn', 'named', '2026-11-30T01:38:00Z', 'اليوم في 1:38\u00a0ص'],
    ['en', 'named', '2026-12-03T01:38:00Z', 'Thursday, December 3 1:38\u00a0AM'],
    ['en', 'brief', '2026-11-30T01:38:00Z', '1:38\u00a0AM'],
    ['en', 'brief', '2026-11-29T23:59:00Z', 'Nov 29'],
    ['en', 'brief', '2025-11-30T12:00:00Z', 'Nov 30, 2025'],
    ['en', 'end', '2026-11-30T12:42:00Z', 'in 42 minutes'],
    ['en', 'end', '2026-11-30T12:00:10Z', 'in 1 minute'],
    ['en', 'end', '2026-11-30T13:00:00Z', 'today 1:00\u00a0PM'],
    ['en', 'end', '2026-12-01T23:59:00Z', 'tomorrow'],
    ['en', 'end', '2026-12-02T00:00:00Z', 'Dec 2'],
    ['en', 'day', '2026-11-30T00:00:00Z', 'today'],
    ['en', 'day', '2026-11-28T00:00:00Z', 'November 28'],
    ['en', 'clock', '2026-11-28T13:05:00Z', '1:05\u00a0PM'],
  ])('in %s, %s, of %s is %s', (locale, format, date, words) => {
    const time = timeIn(locale, format, { date: new Date(date), now: NOW, timeZone: 'UTC' });
    expect(time.replace(VERSIONS_DIFFER, ' ')).toBe(words);
  });

  it('is that of the time zone, with its year', () => {
    const date = new Date('2026-12-31T23:30:00Z');
    const inBerlin = { date, now: NOW, timeZone: 'Europe/Berlin' };
    expect(timeIn('en-GB', 'short', inBerlin)).toContain('1 Jan 2027');
    expect(timeIn('en-GB', 'day', { ...inBerlin, now: date })).toBe('today');
    expect(timeIn('en-GB', 'day', { ...inBerlin, now: new Date('2026-12-31T22:30:00Z') })).toBe('tomorrow');
  });

  it.each<[TimeFormat, date: string, hasHour: boolean]>([
    ['full', '2026-12-02T22:40:00Z', true],
    ['named', '2026-12-02T22:40:00Z', true],
    ['brief', '2026-11-30T22:40:00Z', true],
    ['brief', '2026-12-02T22:40:00Z', false],
    ['end', '2026-11-30T12:42:00Z', false],
    ['end', '2026-11-30T22:40:00Z', true],
    ['end', '2026-12-01T12:10:00Z', false],
    ['day', '2026-11-30T12:00:00Z', false],
  ])('in the format %s, of %s: whether it has an hour is %s', (format, date, hasHour) => {
    expect(showsClock(format, { date: new Date(date), now: NOW, timeZone: 'UTC' })).toBe(hasHour);
  });

  it('is formatted without building a format, because a list has hundreds', () => {
    timeIn('en-GB', 'short', { date: NOW, now: NOW });
    const formats = jest.spyOn(Intl, 'DateTimeFormat');
    timeIn('en-GB', 'short', { date: new Date('2026-01-01T00:00:00Z'), now: NOW });

    expect(formats).not.toHaveBeenCalled();
    formats.mockRestore();
  });
});
