import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ICONS } from '../../src/shared/icons.js';
import { catalogueOf } from '../../src/texts/catalogue.js';
import type { Language } from '../../src/texts/languages.js';
import { LANGUAGE_CODES } from '../../src/texts/languages.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx$|^client\/.*\.ts$/.test(path) && !path.endsWith('spec.ts'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));

const stylesheet = (name: string) =>
  readFileSync(`src/web/assets/${name}`, 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
const css = stylesheet('sealpush.css');

/** The classes that a stylesheet has rules for. */
const classesIn = (text: string) =>
  new Set([...text.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(([, name = '']) => name));

/** The words of all texts in quotes: a class is written in one, as a whole. */
const words = new Set(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/(["'`])((?:(?!\1)[^\\\n])*)\1/g)].flatMap(([, , quoted = '']) =>
      quoted.split(/[\s${}?:.]+/),
    ),
  ),
);

/** Classes that only say where something is or how quiet it is; components have the others. */
const LAYOUT = ['center', 'gap-sm', 'gap-top', 'quiet', 'row', 'small', 'stack', 'visually-hidden'];

describe('The stylesheet', () => {
  it('has no rule for a class that no page and no script has', () => {
    const built = [/^for-/, /^with-/]; // names of options
    const unused = [...classesIn(css)].filter(
      (name) => !words.has(name) && !built.some((pattern) => pattern.test(name)),
    );

    expect(unused).toEqual([]);
  });

  it('has at most 12 kB compressed', () => {
    expect(gzipSync(readFileSync('dist/client/sealpush.css')).length).toBeLessThanOrEqual(12 * 1024);
  });

  it('has a rule for each class of a page', () => {
    const known = new Set([...classesIn(css), ...classesIn(stylesheet('docs.css'))]);
    const written = sources
      .filter(({ path }) => path.endsWith('.tsx') && !path.startsWith('platform/mail/'))
      .flatMap(({ text }) => [...text.matchAll(/\sclass="([^"]+)"/g)])
      .flatMap(([, names = '']) => names.split(' '));

    expect([...new Set(written)].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('The typefaces', () => {
  /** Whether a character is in a file of ours, by its name. */
  const isIn = (name: string, character: string) => {
    const [, ranges = ''] =
      new RegExp(`url\\('${name}\\.woff2'\\)[^}]*unicode-range:([^;]*);`).exec(css) ?? [];
    return [...ranges.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].some(([, first = '', last = first]) => {
      const code = character.codePointAt(0) ?? 0;
      return parseInt(first, 16) <= code && code <= parseInt(last, 16);
    });
  };
  const lettersIn = (language: string) =>
    [...new Set(Object.values(catalogueOf(language as Language)).join(''))].filter((character) =>
      /\p{Script=Latin}/u.test(character),
    );

  it.each(LANGUAGE_CODES)(
    'have the letters of the texts in %s in the files that all its pages load',
    (language) => {
      const files = ['cs', 'pl'].includes(language) ? ['geist-latin', 'geist-czech-polish'] : ['geist-latin'];
      const letters = lettersIn(language);

      expect(letters.length).toBeGreaterThan(20);
      expect(letters.filter((letter) => !files.some((file) => isIn(file, letter)))).toEqual([]);
    },
  );
});

describe('A page', () => {
  it('is made of components: it has no class but those that say where something is', () => {
    const pages = sources.filter(
      ({ path }) => path.endsWith('.tsx') && !/^(web\/components|web\/docs|platform\/mail)\//.test(path),
    );
    const others = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\sclass=(?:"([^"]*)"|\{([^}]*)\})/g)]
        .flatMap(([, names, expression]) => (names ?? expression ?? '').split(' '))
        .filter((name) => !LAYOUT.includes(name))
        .map((name) => `${path}: ${name}`),
    );

    expect(others).toEqual([]);
  });
});

describe('The icons', () => {
  it('are all used', () => {
    expect(Object.keys(ICONS).filter((name) => !words.has(name))).toEqual([]);
  });
});
