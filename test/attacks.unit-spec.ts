import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** How many cases each chapter has. */
const CHAPTERS = { A: 12, B: 11, C: 11, D: 7, E: 11, F: 6, G: 2, H: 7, I: 9, J: 5, K: 5, L: 21 };
const IDS = Object.entries(CHAPTERS).flatMap(([chapter, last]) =>
  Array.from({ length: last }, (_, index) => `${chapter}${index + 1}`),
);

const ROW = /^\| ([A-L]\d+) +\| (.+?) +\| (.+?) +\|$/gm;
/** What a test's name ends with: an id, or several, in brackets. */
const NAMED = /\(([A-L]\d+(?:, [A-L]\d+)*)\)['"`]/g;

interface Row {
  id: string;
  specs: string[];
  reason: string;
}

const rows = [...readFileSync('docs/security.md', 'utf8').matchAll(ROW)].map(
  ([, id = '', , told = '']): Row => {
    const [names = '', ...notes] = told.split('; ');
    return told.startsWith('–: ')
      ? { id, specs: [], reason: told.slice(3) }
      : { id, specs: names.split(', '), reason: notes.join('; ') };
  },
);

/** The ids that the names of its tests end with, by spec. */
const named = new Map<string, Set<string>>();
for (const path of ['src', 'test'].flatMap(specsBelow)) {
  const ids = [...readFileSync(path, 'utf8').matchAll(NAMED)].flatMap(([, list = '']) => list.split(', '));
  named.set(basename(path).replace(/\.(\w+-)?spec\.tsx?$/, ''), new Set(ids));
}
const specsNaming = (id: string) => [...named].filter(([, ids]) => ids.has(id)).map(([spec]) => spec);

describe('The table of attacks in docs/security.md', () => {
  it('has each case once, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(IDS);
  });

  it.each(rows)('names for $id just the specs that have a test with its name', ({ id, specs }) => {
    expect([...specs].sort()).toEqual(specsNaming(id).sort());
  });

  it.each(rows.filter(({ specs }) => specs.length === 0))('has a reason for $id', ({ reason }) => {
    expect(reason.split(' ').length).toBeGreaterThan(2);
  });

  it('has all ids that tests are named with', () => {
    const known = new Set(IDS);
    const ids = [...named.values()].flatMap((set) => [...set]);

    expect(ids.filter((id) => !known.has(id))).toEqual([]);
  });
});

function specsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /spec\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}
