import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROW = /^\| ([A-N]\d+) +\| .+? +\| (.*?) *\|$/gm;
/** The end of a test name: one or several ids in brackets. */
const NAMED = /\(([A-N]\d+(?:, [A-N]\d+)*)\)['"`]/g;

const rows = [...readFileSync('docs/security.md', 'utf8').matchAll(ROW)];
const named = new Set(
  ['src', 'test']
    .flatMap(specsBelow)
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(NAMED)])
    .flatMap(([, ids = '']) => ids.split(', ')),
);

// Makes sure that every claim in docs/security.md still has a test.
describe('The table of attacks in docs/security.md', () => {
  it('has an attack for each chapter', () => {
    expect(new Set(rows.map(([, id = '']) => id[0]))).toEqual(new Set('ABCDEFGHIJKLMN'));
  });

  it('has a test for each attack, or a reason why there is none', () => {
    const untested = rows.filter(
      ([, id = '', notes = '']) => !named.has(id) && !notes.startsWith('no test: '),
    );

    expect(untested.map(([, id]) => id)).toEqual([]);
  });

  it('has each id that occurs in a test name', () => {
    const ids = new Set(rows.map(([, id]) => id));

    expect([...named].filter((id) => !ids.has(id))).toEqual([]);
  });
});

function specsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /spec\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}
