import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The benchmarks run by hand and are not type-checked, so a file that was moved would be noticed late.
describe('The benchmarks', () => {
  it('import only files that the build makes', () => {
    const imports = readdirSync('bench')
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => [...readFileSync(join('bench', name), 'utf8').matchAll(/'\.\.\/dist\/(.+)\.js'/g)])
      .map(([, path = '']) => path);

    expect(imports.length).toBeGreaterThan(5);
    expect(imports.filter((path) => !existsSync(`src/${path}.ts`))).toEqual([]);
  });

  it('say why a criterion is missed', () => {
    const page = readFileSync('bench/README.md', 'utf8');
    const missed = [...page.matchAll(/^\| (.+?) +\|.*\| FAIL +\|$/gm)].map(([, criterion]) => criterion);
    const reasons = [...page.matchAll(/^- (.+?): (?!not explained yet)/gm)].map(([, criterion]) => criterion);

    expect(missed.filter((criterion) => !reasons.includes(criterion))).toEqual([]);
  });
});
