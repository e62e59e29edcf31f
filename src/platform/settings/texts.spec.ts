import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { language, languages, ownTexts } from './texts.js';

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
  let folder: string;

  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sealpush-texts-'))));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function read(content: unknown): unknown {
    const file = join(folder, 'texts.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return ownTexts(file);
  }

  it('are by language and key', () => {
    const texts = {
      en: { 'home.title': 'Share a password', 'open.once': 'Until {time}, once.' },
      de: { 'home.viewsChoice': '{count} Mal' },
    };

    expect(read(texts)).toEqual(texts);
    expect(read(`\uFEFF${JSON.stringify(texts)}`)).toEqual(texts);
  });

  it('may be for scripts in the browser, with what these can format', () => {
    const texts = { en: { 'script.days': '{count, plural, =1 {a day} other {# days}}' } };

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
    [{ en: { 'open.once': 'Until {when}' } }, /has no parameter such as when; it has time$/],
    [{ en: { 'open.once': '{time, plural, other {#}}' } }, /has no parameter such as time/],
    [{ en: { 'open.once': '<time>Once</time>' } }, /has no parameter such as time/],
    [{ en: { 'open.once': '{time, date}' } }, /is no message/],
    [
      { en: { 'script.limits': '{views, select, 1 {once} other {often}}' } },
      /only texts, parameters and plurals/,
    ],
  ])('cannot be %j', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });

  it('are in a file that can be read, of at most a megabyte', () => {
    expect(() => ownTexts(join(folder, 'none.json'))).toThrow(/cannot be read \(ENOENT\)/);
    expect(() => read(' '.repeat(1_000_001))).toThrow(/at most 1 MB/);
  });
});
