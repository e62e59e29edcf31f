import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

const document = readFileSync('docs/architecture.md', 'utf8');

/** What each folder may import, as the document says. */
const arrows = new Map(
  [...document.matchAll(/^(\w+) +-> +(.+)$/gm)].map(([, from = '', to = '']) => [from, to.split(', ')]),
);
const folders = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Each import of one folder by another, such as `web -> pushes`, with where it stands. */
const imports = folders.flatMap((folder) =>
  readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.spec.ts'))
    .flatMap((path) => importsOf(join(folder, path)).map((to) => ({ from: folder, to, path })))
    .filter(({ from, to }) => to !== from),
);

describe('docs/architecture.md', () => {
  it('names each folder of the source, and no other', () => {
    const named = [...document.matchAll(/^\| `(\w+)\/` +\|/gm)].map(([, name]) => name);

    expect(named.sort()).toEqual(folders.sort());
  });

  it('tells what each folder imports: whatever is not told is not imported', () => {
    const untold = imports.filter(({ from, to }) => !arrows.get(from)?.includes(to));

    expect(untold).toEqual([]);
  });

  it('tells of no arrow that is not there', () => {
    const told = [...arrows].flatMap(([from, tos]) => tos.map((to) => `${from} -> ${to}`));
    const there = new Set(imports.map(({ from, to }) => `${from} -> ${to}`));

    expect(told.length).toBeGreaterThan(20);
    expect(told.filter((arrow) => !there.has(arrow))).toEqual([]);
  });

  it('has arrows that go down only', () => {
    const order = [...arrows.keys()];

    for (const [from, tos] of arrows) {
      for (const to of tos.filter((name) => order.includes(name))) {
        expect([from, to, order.indexOf(to) > order.indexOf(from)]).toEqual([from, to, true]);
      }
    }
  });
});

/** The folders that a source names in its imports. */
function importsOf(path: string): string[] {
  const text = readFileSync(join('src', path), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)'/g)]
    .map(([, target = '']) => normalize(join(dirname(path), target)).split(sep))
    .filter((parts) => parts.length > 1)
    .map(([folder = '']) => folder);
}
