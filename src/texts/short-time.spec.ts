import { shortTimesIn } from './short-time.js';
import { translatorFor } from './translator.js';

describe('Short times', () => {
  it.each([
    ['2026-11-25T14:03:00Z', '25 Nov, 14:03'],
    ['2026-01-01T00:00:00Z', '1 Jan, 00:00'],
    ['2025-12-31T23:59:59.999Z', '31 Dec 2025, 23:59'],
    ['2027-01-01T00:00:00Z', '1 Jan 2027, 00:00'],
  ])('have the year only if it is another one (%s)', (date, text) => {
    const shortTime = shortTimesIn('en-GB', 'UTC');

    expect(shortTime(new Date(date), new Date('2026-12-31T23:59:59Z'))).toBe(text);
  });

  it('are formatted without building a format, because a list has hundreds', () => {
    const translator = translatorFor('en');
    translator.shortTime(new Date());
    const formats = jest.spyOn(Intl, 'DateTimeFormat');
    translator.shortTime(new Date('2025-01-01'));

    expect(formats).not.toHaveBeenCalled();
    formats.mockRestore();
  });
});
