import { withDigits } from './digits.js';
import { durationIn } from './duration.js';
import { sizeIn } from './size.js';
import { timeIn } from './times.js';
import { Translator } from './translator.js';

const DATE = new Date('2026-12-02T22:40:00Z');
const OTHER_DIGITS = /[^\P{Nd}0-9]/u;

describe('Numbers, sizes, times and durations', () => {
  it.each(['ar', 'ar-EG', 'ar-SA', 'ar-AE', 'ar-EG-u-nu-arab', 'en-GB', 'ja'])(
    'have one kind of digits in %s',
    (region) => {
      const locale = withDigits(region);
      const shown = [
        sizeIn(locale, 2300),
        sizeIn(locale, 17),
        durationIn(locale, 300),
        timeIn(locale, 'full', { date: DATE, now: DATE, timeZone: 'UTC' }),
        timeIn(locale, 'weekday', { date: DATE, now: DATE, timeZone: 'UTC' }),
        (0.25).toLocaleString(locale, { style: 'percent' }),
      ];
      for (const words of shown) {
        expect(words).toMatch(/[0-9]/);
        expect(words).not.toMatch(OTHER_DIGITS);
      }
    },
  );

  it('have those of the texts around them in Arabic', () => {
    const t = new Translator('ar');
    const shown = [t.size(2300), t.duration(300), t.time(DATE), t.text('list.deleted', { count: 17 })];
    expect(shown.join()).not.toMatch(OTHER_DIGITS);
  });
});
