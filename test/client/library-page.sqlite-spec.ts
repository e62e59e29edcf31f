import { execFile, execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CHILD_ENV } from '../support/child-env.js';
import { blocksOf } from '../support/documents.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const PAGE = 'docs/library.md';
const DOCUMENTED = 'https://push.example.org';
const OUTPUT = /^\/\/ → (.*)$/gm;

/** Each Node.js that is installed, and that the package is for: this one, and others in PATH. */
const INSTALLED = [
  process.execPath,
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path)),
].map((path) => realpathSync(path));
const NODES = [...new Set(INSTALLED)]
  .map((path) => [execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(), path] as const)
  .filter(([version]) => Number(/^v(\d+)/.exec(version)?.[1]) >= 20);

describe(PAGE, () => {
  const running = forAllTests(() => startApp({ ENABLE_REQUESTS_API: 'true' }));
  const owner = forEachTest(() => running.newUser());
  const folder = forEachTest(makeFolder);

  /** Runs a program beside the package, as one that has installed it; returns the lines that it prints. */
  async function linesOf(program: string, node: string): Promise<string[]> {
    await mkdir(join(folder.path, 'node_modules'));
    await symlink(resolve('packages/client'), join(folder.path, 'node_modules/sealpush-client'));
    await writeFile(join(folder.path, 'program.mjs'), program);
    const { stdout } = await promisify(execFile)(node, ['program.mjs'], {
      cwd: folder.path,
      env: { ...CHILD_ENV, SEALPUSH_TOKEN: owner.token },
    });
    return stdout.trimEnd().split('\n');
  }

  it.each(NODES)('has examples that print what it says, with Node.js %s', async (_version, node) => {
    const program = blocksOf(PAGE, 'js').join('\n');
    const expected = [...program.matchAll(OUTPUT)].map(([, line = '']) => line);
    const lines = await linesOf(program.replaceAll(DOCUMENTED, running.url), node);

    expect(expected).toHaveLength(16);
    expect(lines).toEqual(
      expected.map((line) => expect.stringMatching(patternOf(line.replace(DOCUMENTED, running.url)))),
    );
  });

  it('names the code of each error, and no other', async () => {
    const rows = (await readFile(PAGE, 'utf8')).matchAll(/^\| (`[^|]+?) +\|/gm);
    const documented = [...rows].flatMap(([, codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code),
    );
    const [type = ''] =
      /export type ErrorCode =[^;]+;/.exec(await readFile('packages/client/src/errors.ts', 'utf8')) ?? [];
    const codes = [...type.matchAll(/'(\w+)'/g)].map(([, code]) => code);

    expect(codes.length).toBeGreaterThan(10);
    expect(documented.sort()).toEqual(codes.sort());
  });
});

/** Each `…` stands for any text. */
function patternOf(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replace(/[\\{}[\]().?*+^$|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}
