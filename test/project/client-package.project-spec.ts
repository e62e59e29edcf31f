import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

const FOLDER = 'packages/client';
const read = (path: string) => readFileSync(path, 'utf8');
const { dependencies } = JSON.parse(read(`${FOLDER}/package.json`));

/** The names of the packages and modules that a script loads. */
const importsOf = (script: string) =>
  [...script.matchAll(/^(?:import|export)\b[^"']*["']([^"']+)["'];?$/gm)].map(([, name = '']) => name);

/** A program of these lines, with all that it needs, as a browser gets it. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: FOLDER },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

describe('The package of the library and the command', () => {
  it('holds what was built, its README and its licence, and nothing else', () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const output = execFileSync('npm', args, { cwd: FOLDER, encoding: 'utf8' });
    const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    const besides = paths.filter((path) => !path.startsWith('dist/'));

    expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/sealpush.mjs']));
    expect(besides.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(paths.filter((path) => /(?<!\.d)\.ts$|\.map$|spec/.test(path))).toEqual([]);
  });

  it('has the licence of the project', () => {
    expect(read(`${FOLDER}/LICENSE`)).toBe(read('LICENSE'));
  });

  it('has a library that needs one package, and no module of Node.js', () => {
    expect(Object.keys(dependencies)).toEqual(['age-encryption']);
    expect([...new Set(importsOf(read(`${FOLDER}/dist/index.js`)))]).toEqual(['age-encryption']);
  });

  it('leaves out of a bundle what a program does not use', async () => {
    const part = await bundled("import { parsePushLink } from './dist/index.js'; console.log(parsePushLink)");
    const whole = await bundled(
      "import { SealpushClient } from './dist/index.js'; console.log(SealpushClient)",
    );

    expect(part).toContain('invalid_link');
    expect(part).not.toContain('/api/v2/');
    expect(whole).toContain('/api/v2/');
    expect(part.length).toBeLessThan(whole.length / 2);
  });
});

describe('The scripts of the pages', () => {
  it('take the end-to-end format from the package, and have none of their own', () => {
    const sources = globSync('src/client/**/*.ts', { exclude: ['**/*spec.ts'] });
    const own = sources.filter((path) =>
      /from '(?:age-encryption|@noble\/|@scure\/)|sealpush\/e2e|scrypt\(|'HKDF'/.test(read(path)),
    );

    expect(sources.length).toBeGreaterThan(50);
    expect(own).toEqual([]);
  });

  it('have it once in all bundles', () => {
    const bundles = globSync('dist/client/*.js').filter((path) => read(path).includes('sealpush/e2e/1/'));

    expect(bundles).toEqual(['dist/client/end-to-end-worker.js']);
    expect(read(bundles[0] ?? '').split('sealpush/e2e/1/proof')).toHaveLength(2);
  });

  it('have the protocol of uploads once in all bundles', () => {
    const bundles = globSync('dist/client/*.js').filter((path) => read(path).includes('Upload-Metadata'));

    expect(bundles).toEqual(['dist/client/uploads.js']);
  });
});
