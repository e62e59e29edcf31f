import { Translator } from '../../texts/translator.js';
import { declareTexts } from './declare-texts.js';

const GARDEN = declareTexts('garden', {
  en: {
    title: 'Garden',
    tulips: 'In {place}: {count, plural, one {# tulip of {owner}} other {# tulips of {owner}}}',
    visit: 'See <link>the garden of {owner}</link>',
  },
  de: { title: 'Garten', visit: 'Besuchen Sie <link>den Garten von {owner}</link>' },
});

describe('The texts of a module', () => {
  const [english, german] = [new Translator('en'), new Translator('de')];

  it('are in the languages of the module, and in English in others', () => {
    expect(GARDEN.title).toBe('garden.title');
    expect([english, german, new Translator('fr')].map((t) => t.text(GARDEN.title))).toEqual([
      'Garden',
      'Garten',
      'Garden',
    ]);
  });

  it('have the parameters that the compiler finds in the English ones', () => {
    const values = { place: 'bed 1', count: 2, owner: 'Ann' };

    expect(german.text(GARDEN.tulips, values)).toBe('In bed 1: 2 tulips of Ann');
    expect(german.parts<string, typeof GARDEN.visit>(GARDEN.visit, { owner: 'Ann', link: String })).toEqual([
      'Besuchen Sie den Garten von Ann',
    ]);
    // @ts-expect-error -- it has parameters
    expect(() => german.text(GARDEN.tulips)).toThrow(/not provided/);
    // @ts-expect-error -- it has more of them
    expect(() => german.text(GARDEN.tulips, { count: 2, place: 'bed 1' })).toThrow(/not provided/);
    // @ts-expect-error -- it is a number
    german.text(GARDEN.tulips, { ...values, count: '2' });
    // @ts-expect-error -- it has none
    german.text(GARDEN.title, { count: 2 });
  });

  it('may come from a file, of which the compiler does not know the parameters', () => {
    const { hello } = declareTexts('pond', {
      en: JSON.parse('{"hello": "Hello, {name}"}') as { hello: string },
    });

    expect(new Translator('en').text(hello, { name: 'Ann' })).toBe('Hello, Ann');
  });

  it.each<[string, Record<string, Record<string, unknown>>, RegExp]>([
    ['garden', { en: { pond: 'Pond' } }, /^The texts of garden: another module has this name$/],
    ['script', { en: { pond: 'Pond' } }, /^The texts of script: another module has this name$/],
    ['new', { en: { a: '{n' } }, /^The texts of new: en, a: is no message in ICU MessageFormat \(.+\)$/],
    ['new', { en: { a: '' } }, /en, a: must be a text$/],
    ['new', { en: { a: 'A' }, de: { b: 'B' } }, /de, b: there is no such text$/],
    ['new', { en: { a: 'A' }, de: { constructor: 'B' } }, /de, constructor: there is no such text$/],
    ['new', { en: { a: 'A' }, xx: { a: 'A' } }, /: xx is none of en, de,/],
    [
      'new',
      { en: { a: 'A {n}' }, de: { a: 'A {m}' } },
      /de, a: the text has no parameter such as m; it has n$/,
    ],
    ['new', { en: { a: 'A {n}' }, de: { a: 'A' } }, /de, a: the text lacks the parameter n$/],
    ['new', { en: { a: 'A {n}', b: '{n' }, de: { a: 'A' } }, /en, b: [^;]+; de, a: /],
  ])('of %s cannot be %j', (module, texts, message) => {
    expect(() => declareTexts(module, texts as { en: Record<string, string> })).toThrow(message);
  });
});
