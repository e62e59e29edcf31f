import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

/** The files of a folder that are in none of its subfolders. */
const ROOT = '.';

const document = readFileSync('docs/architecture.md', 'utf8');

/** The folders that the document lists, from the top of the layers to the bottom. */
const layers = [...document.matchAll(/^- `([\w/-]+)\/`: /gm)].map(([, path = '']) => path);
/** Folders of folders: the document names what is in them. */
const GROUPS = ['features', 'platform'];

const foldersIn = (path: string) =>
  readdirSync(join('src', path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));
const folders = foldersIn('').flatMap((path) => (GROUPS.includes(path) ? foldersIn(path) : [path]));

/** The modules of whoever runs the service. They may import everything. */
const CUSTOM = 'custom';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !path.endsWith('spec.ts'),
);

/** Each import of a source file of the service by another, also for types only, as paths below `src`. */
const fileImports = sources
  .filter((path) => partOf(path, '') !== CUSTOM)
  .flatMap((from) => importsOf(from).map((to) => ({ from, to })));

/** Each import of one folder by another, such as `web -> pushes`, with the path of the file. */
const imports = fileImports
  .map(({ from, to }) => ({ from: nameOf(from), to: nameOf(to), path: from }))
  .filter(({ from, to }) => ![from, to].includes(ROOT) && to !== from);

describe('docs/architecture.md', () => {
  it('names each folder of the source, and no other', () => {
    expect([...layers].sort()).toEqual(folders.sort());
  });

  it('lists a folder above those that it imports', () => {
    const upwards = imports.filter(({ from, to }) => layers.indexOf(to) <= layers.indexOf(from));

    expect(imports.length).toBeGreaterThan(100);
    expect(upwards).toEqual([]);
  });
});

describe('The scripts of the pages', () => {
  it('import only what browsers can run', () => {
    const allowed = ['shared', 'texts', join('platform', 'settings')];

    expect(imports.filter(({ from, to }) => from === 'client' && !allowed.includes(to))).toEqual([]);
  });
});

describe('A feature', () => {
  const ofFeature = (path: string) => path.startsWith(`features${sep}`);
  /** The supervisor of several processes serves their metrics, and has no Nest app. */
  const EXCEPTION = 'features/workers/supervise.ts';

  it('imports of another feature only its Nest module and its events', () => {
    const others = fileImports
      .filter(({ from, to }) => ofFeature(from) && ofFeature(to) && nameOf(from) !== nameOf(to))
      .filter(({ from, to }) => !/\.(module|event)\.ts$/.test(to) && from !== EXCEPTION);

    expect(others).toEqual([]);
  });

  it.each(['version', 'pushes', 'audit', 'auth', 'files', 'web', 'shared', 'platform'])(
    'is not imported by %s',
    (folder) => {
      const known = fileImports.filter(({ from, to }) => from.startsWith(folder + sep) && ofFeature(to));

      expect(known).toEqual([]);
    },
  );
});

describe('Paths of files', () => {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const documents = ['README.md', 'CONTRIBUTING.md', ...pages.map((name) => join('docs', name))];
  const isThere = (path: string) =>
    [path, join('docs', path)].some((place) => existsSync(place)) ||
    sources.some((source) => `/${source}`.endsWith(`/${path}`));
  const missing = (paths: string[]) => paths.filter((path) => !/NAME/.test(path) && !isThere(path));

  it('in documents exist', () => {
    const named = documents.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.tsx?)`/g)].map(
        ([, file = '']) => file,
      ),
    );

    expect(named.length).toBeGreaterThan(100);
    expect(missing(named)).toEqual([]);
  });

  it('in comments exist', () => {
    const decisions = readdirSync('docs/decisions').map((name) => name.slice(0, 4));
    const comments = sources.flatMap((path) =>
      [...readFileSync(join('src', path), 'utf8').matchAll(/\/\*[^]*?\*\/|\/\/ .*/g)].map(([text]) => text),
    );
    const named = (pattern: RegExp) => comments.flatMap((text) => text.match(pattern) ?? []);
    const files = named(/\b[\w-]+(?:\/[\w.-]+)*\/[\w.-]+\.(?:tsx?|md)\b/g);
    const records = named(/(?<=docs\/decisions\/)\d{4}/g);

    expect(files.length).toBeGreaterThan(20);
    expect(missing(files)).toEqual([]);
    expect(records.filter((number) => !decisions.includes(number))).toEqual([]);
  });
});

describe('Imports between the subfolders of a folder, and its root', () => {
  it.each(['', ...GROUPS, ...folders])('have no cycle in src/%s', (folder) => {
    expect(cycleIn(folder)).toEqual([]);
  });
});

/** The imports that lead from a part of a folder back to it, such as `a/x.ts -> b/y.ts`; empty without a cycle. */
function cycleIn(folder: string): string[] {
  const between = fileImports
    .filter(({ from, to }) => [from, to].every((path) => folder === '' || path.startsWith(folder + sep)))
    .map(({ from, to }) => ({ from: partOf(from, folder), to: partOf(to, folder), text: `${from} -> ${to}` }))
    .filter(({ from, to }) => from !== to);

  for (const first of between) {
    const ways = [[first]];
    const seen = new Set<string>();
    for (const way of ways) {
      const end = way.at(-1)?.to ?? '';
      if (end === first.from) return way.map(({ text }) => text);
      if (!seen.has(end))
        ways.push(...between.filter(({ from }) => from === end).map((next) => [...way, next]));
      seen.add(end);
    }
  }
  return [];
}

/** The folder of a file, as the document names it. */
function nameOf(path: string): string {
  const [first = '', second = ''] = path.split(sep);
  return GROUPS.includes(first) ? join(first, second) : partOf(path, '');
}

/** The subfolder of a folder that has this file, or `ROOT`. */
function partOf(path: string, folder: string): string {
  const [part = '', ...rest] = relative(folder, path).split(sep);
  return rest.length === 0 ? ROOT : part;
}

/** The source files that a source file imports. */
function importsOf(path: string): string[] {
  const text = readFileSync(join('src', path), 'utf8');
  return [...text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)]
    .map(([, target = '']) => normalize(join(dirname(path), target)).replace(/\.js$/, ''))
    .flatMap((target) => sources.find((source) => source.replace(/\.tsx?$/, '') === target) ?? []);
}
