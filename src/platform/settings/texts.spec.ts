import { join } from 'node:path';
import { language, languages, ownTexts } from './texts.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forAllTests } from '../../../test/support/for-tests.js';

describe('The languages of an instance', () => {
  it('are codes, each once, in the order given', () => {
    expect(languages('de, en en')).toEqual(['de', 'en']);
    expect(language('de')).toBe('de');
  });

  it.each(['', 'xx', 'de, xx', 'DE', 'de;en', '__proto__'])('are not %j', (text) => {
    expect(() => languages(text)).toThrow(/^must be languages among en, de/);
    expect(() => language(text)).toThrow(/^must be one of en, de/);
  });
});

describe('Sentences of the operator’s own', () => {
  const folder = forAllTests(makeFolder);

  function read(content: unknown): unknown {
    return ownTexts(folder.file(typeof content === 'string' ? content : JSON.stringify(content)));
  }

  it('are by language and key', () => {
    const texts = {
      en: { 'home.title': 'Share a password', 'secret.expires': 'Until {time}, once.' },
      de: { 'home.viewsChoice': '{count} Mal' },
    };

    expect(read(texts)).toEqual(texts);
    expect(read(`\uFEFF${JSON.stringify(texts)}`)).toEqual(texts);
  });

  it('may be for scripts in the browser, with what these can format', () => {
    const texts = { en: { 'script.characters': '{count, plural, =1 {a letter} other {# letters}}' } };

    expect(read(texts)).toEqual(texts);
  });

  it.each<[unknown, RegExp]>([
    ['', /is not JSON/],
    ['{"en": ', /is not JSON/],
    ['[]', /must be a JSON object/],
    ['null', /must be a JSON object/],
    [{ en: 'Share' }, /^en must be a JSON object/],
    [{ xx: {} }, /^must be one of en/],
    [{ en: { 'home.tilte': 'Share' } }, /^en, home\.tilte: there is no such text$/],
    [{ en: { constructor: 'Share' } }, /^en, constructor: there is no such text$/],
    [{ en: { '@home.title': 'Share' } }, /there is no such text/],
    [{ en: { 'home.title': '' } }, /^en, home\.title: must be a text$/],
    [{ en: { 'home.title': { text: 'Share' } } }, /must be a text/],
    [{ en: { 'home.title': 'Share {' } }, /is no message in ICU MessageFormat/],
    [{ en: { 'home.title': 'Share <b>' } }, /is no message in ICU MessageFormat/],
    [{ en: { 'home.title': 'Share {what}' } }, /has no parameter such as what; it has none$/],
    [{ en: { 'secret.expires': 'Until {when}' } }, /has no parameter such as when; it has time$/],
    [{ en: { 'secret.expires': '{time, plural, other {#}}' } }, /has no parameter such as time/],
    [{ en: { 'secret.expires': '<time>Once</time>' } }, /has no parameter such as time/],
    [{ en: { 'secret.expires': '{time, date}' } }, /is no message/],
    [
      { en: { 'script.characters': '{count, select, 1 {one} other {many}}' } },
      /only texts, parameters and plurals/,
    ],
  ])('cannot be %j', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });

  it('are in a file that can be read, of at most a megabyte', () => {
    expect(() => ownTexts(join(folder.path, 'none.json'))).toThrow(/cannot be read \(ENOENT\)/);
    expect(() => read(' '.repeat(1_000_001))).toThrow(/at most 1 MB/);
  });
});
