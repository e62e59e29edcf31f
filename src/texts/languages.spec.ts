import { languageOfTag } from './languages.js';

describe('The language of a tag', () => {
  it.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['de_CH', 'de'],
    ['de-Latn-DE', 'de'],
    [' en-US ', 'en'],
    ['pt', 'pt-BR'],
    ['pt-AO', 'pt-BR'],
    ['PT_br', 'pt-BR'],
    ['zh', 'zh-CN'],
    ['zh-Hans-CN', 'zh-CN'],
    ['xx', undefined],
    ['', undefined],
    ['*', undefined],
    ['d', undefined],
    ['de-', undefined],
    ['de\r\nx', undefined],
    ['../en', undefined],
    ['__proto__', undefined],
    [`de${'-latn'.repeat(7_000)}`, undefined],
  ])('of %j is %s', (tag, language) => {
    expect(languageOfTag(tag)).toBe(language);
  });
});
