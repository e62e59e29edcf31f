import { timeInScrypts } from '../../../test/support/growth-of-time.js';
import { TextSearch } from './own-push-filter.js';

describe('TextSearch', () => {
  it.each([
    ['tulip', 'Two TULIPS'],
    ['STRASSE', 'Hauptstraße 1'],
    ['straße', 'HAUPTSTRASSE'],
    ['é', 'Cafe\u0301'],
    ['e\u0301', 'CAFÉ'],
    ['ΣΟΦΟΣ', 'σοφός σοφος'],
    ['fi', 'ﬁle'],
    ['ab', 'ＡＢ'],
    ['😀', 'a 😀'],
    ['文書', '文書.pdf'],
    ['', ''],
    ['\0', 'a\0b'],
  ])('finds %j in %j', (wanted, text) => {
    expect(new TextSearch(wanted).matches(text)).toBe(true);
  });

  it.each([
    ['tulip', 'rose'],
    ['e', 'É'],
    ['.*', 'abc'],
    ['%', 'abc'],
    ['\0', 'abc'],
  ])('does not find %j in %j', (wanted, text) => {
    expect(new TextSearch(wanted).matches(text)).toBe(false);
  });

  it('takes little time for the slowest texts (I5, L4)', () => {
    const marks = 'a' + '\u0315\u0300\u05ae'.repeat(666);
    const search = new TextSearch(marks.slice(0, 200));
    const matchBoth = () => {
      search.matches(marks);
      search.matches('\ufdfa'.repeat(2000));
    };

    expect(timeInScrypts(matchBoth)).toBeLessThan(1);
  });
});
