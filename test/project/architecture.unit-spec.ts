import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

const document = readFileSync('docs/architecture.md', 'utf8');

/** The imports that the document allows for each folder. */
const arrows = new Map(
  [...document.matchAll(/^(\w+) +-> +(.+)$/gm)].map(([, from = '', to = '']) => [from, to.split(', ')]),
);
const folders = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Each import of one folder by another, such as `web -> pushes`, with the path of the file. */
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

  it('lists every import between folders', () => {
    const unlisted = imports.filter(({ from, to }) => !arrows.get(from)?.includes(to));

    expect(unlisted).toEqual([]);
  });

  it('lists no arrow without an import in the source', () => {
    const listed = [...arrows].flatMap(([from, tos]) => tos.map((to) => `${from} -> ${to}`));
    const actual = new Set(imports.map(({ from, to }) => `${from} -> ${to}`));

    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter((arrow) => !actual.has(arrow))).toEqual([]);
  });

  it('has arrows only to folders further down', () => {
    const order = [...arrows.keys()];

    for (const [from, tos] of arrows) {
      for (const to of tos.filter((name) => order.includes(name))) {
        expect([from, to, order.indexOf(to) > order.indexOf(from)]).toEqual([from, to, true]);
      }
    }
  });
});

/** The folders that a source file imports from. */
function importsOf(path: string): string[] {
  const text = readFileSync(join('src', path), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)'/g)]
    .map(([, target = '']) => normalize(join(dirname(path), target)).split(sep))
    .filter((parts) => parts.length > 1)
    .map(([folder = '']) => folder);
}
