import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of the sources that end so. */
const textsOf = (ending: RegExp) =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !path.endsWith('spec.ts'))
    .map((path) => readFileSync(join('src', path), 'utf8'));

const namesIn = (texts: string[], pattern: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));

const attributeOf = (property: string) =>
  `data-${property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const pages = textsOf(/\.tsx$/);
const scripts = textsOf(/^client\/.*\.ts$/);
const styles = textsOf(/\.css$/);

const written = new Set(namesIn(pages, /[\s'"{](data-[a-z\d][a-z\d-]*)/g));
/** Properties of `dataset` that scripts use, or take out of it. */
const properties = [
  ...namesIn(scripts, /dataset\.(\w+)/g),
  ...namesIn(namesIn(scripts, /\{([^{}]*)\} = [^;]*dataset\b/g), /(?:^|,)\s*(\w+)/g),
  ...namesIn(scripts, /dataset: \{ (\w+) \}/g),
  ...namesIn(
    scripts.filter((text) => text.includes('DOMStringMap')),
    /\btexts\.(\w+)/g,
  ),
];
const read = new Set([
  ...namesIn([...scripts, ...styles], /\[(data-[\w-]+)/g),
  ...namesIn(scripts, /'(data-[\w-]+)'/g),
  ...properties.map(attributeOf),
]);

describe('Attributes for scripts and styles', () => {
  it('are written by a page, or by the script that reads them, when a script or a style reads them', () => {
    const setByScripts = new Set(namesIn(scripts, /dataset\.(\w+) = /g).map(attributeOf));
    expect(read.size).toBeGreaterThan(100);
    expect([...read].filter((name) => !written.has(name) && !setByScripts.has(name))).toEqual([]);
  });

  it('are read by a script or a style when a page writes them', () => {
    const ofOthers = [
      'data-1p-ignore', // three of password managers
      'data-bwignore',
      'data-lpignore',
      'data-missing-files', // of a spec
    ];

    expect([...written].filter((name) => !read.has(name)).sort()).toEqual(ofOthers);
  });
});
