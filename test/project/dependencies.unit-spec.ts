import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

/** Package names in `require("a/b")`, `import("a")` and require.resolve(`a/${b}`), in the build output. */
const LOADED = /\b(?:require(?:\.resolve)?|import)\(["'`]((?:@[^/"'`]+\/)?[^/."'`][^/"'`]*)/g;

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

describe('The production dependencies', () => {
  it('contain every package that the build loads', () => {
    const loaded = new Set(scripts('dist').flatMap((path) => namesIn(readFileSync(path, 'utf8'))));

    expect(loaded.size).toBeGreaterThan(20);
    expect(loaded).toContain('preact');
    expect([...loaded].filter((name) => !(name in dependencies))).toEqual([]);
  });

  it.each(['typescript', '@nestjs/cli', '@nestjs/swagger', '@picocss/pico', 'age-encryption', 'esbuild'])(
    'do not contain %s, which is needed only for the build',
    (name) => {
      expect(packages[`node_modules/${name}`].dev).toBe(true);
    },
  );
});

function scripts(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.js')).map((file) => join(folder, file));
}

function namesIn(script: string): string[] {
  const names = [...script.matchAll(LOADED)].map(([, name = '']) => name);
  return names.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
}
