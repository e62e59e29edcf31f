import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROW = /^\| ([A-L]\d+) +\| .+? +\| (.*?) *\|$/gm;
/** What a test's name ends with: an id, or several, in brackets. */
const NAMED = /\(([A-L]\d+(?:, [A-L]\d+)*)\)['"`]/g;

const rows = [...readFileSync('docs/security.md', 'utf8').matchAll(ROW)];
const named = new Set(
  ['src', 'test']
    .flatMap(specsBelow)
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(NAMED)])
    .flatMap(([, ids = '']) => ids.split(', ')),
);

// Saves a reader of docs/security.md from trusting a claim that nothing tests any more.
describe('The table of attacks in docs/security.md', () => {
  it('has an attack of each chapter', () => {
    expect(new Set(rows.map(([, id = '']) => id[0]))).toEqual(new Set('ABCDEFGHIJKL'));
  });

  it('has a test for each attack, or says why there is none', () => {
    const untested = rows.filter(
      ([, id = '', notes = '']) => !named.has(id) && !notes.startsWith('no test: '),
    );

    expect(untested.map(([, id]) => id)).toEqual([]);
  });

  it('has each id that a test is named with', () => {
    const ids = new Set(rows.map(([, id]) => id));

    expect([...named].filter((id) => !ids.has(id))).toEqual([]);
  });
});

function specsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /spec\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}
