import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

/** Package names in `require("a/b")`, `import("a")` and require.resolve(`a/${b}`), in the build output. */
const LOADED = /\b(?:require(?:\.resolve)?|import)\(["'`]((?:@[^/"'`]+\/)?[^/."'`][^/"'`]*)/g;

interface Locked {
  dev?: boolean;
  license?: string;
}

/** Licences that allow everything that the licence of Sealpush allows, if their text is kept. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'Unlicense'];
/** Their package.json has no licence in the present form; their README or LICENSE is that of MIT. */
const MIT_BY_TEXT = ['busboy', 'passport-http-bearer', 'passport-strategy', 'pause', 'streamsearch'];

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

describe('The production dependencies', () => {
  it('contain every package that the build loads', () => {
    const loaded = new Set(scripts('dist').flatMap((path) => namesIn(readFileSync(path, 'utf8'))));

    expect(loaded.size).toBeGreaterThan(20);
    expect(loaded).toContain('preact');
    expect([...loaded].filter((name) => !(name in dependencies))).toEqual([]);
  });

  it('have licences that agree with that of Sealpush', () => {
    const theirs = Object.entries<Locked>(packages as Record<string, Locked>).filter(
      ([path, { dev }]) => path !== '' && !dev,
    );
    const others = theirs.filter(([, { license }]) => !license || !ALLOWED.includes(license));

    expect(theirs.length).toBeGreaterThan(200);
    expect(others.map(([path]) => path.replace('node_modules/', ''))).toEqual(MIT_BY_TEXT);
    for (const name of MIT_BY_TEXT)
      expect(documentsOf(name)).toContain('Permission is hereby granted, free of charge');
  });

  it.each(['typescript', '@nestjs/cli', '@nestjs/swagger', 'age-encryption', 'esbuild'])(
    'do not contain %s, which is needed only for the build',
    (name) => {
      expect(packages[`node_modules/${name}`].dev).toBe(true);
    },
  );
});

/** The documents of a package in which its licence may be. */
function documentsOf(name: string): string {
  const folder = join('node_modules', name);
  const documents = readdirSync(folder).filter((file) => /^(license|readme)/i.test(file));
  return documents.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

function scripts(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.js')).map((file) => join(folder, file));
}

function namesIn(script: string): string[] {
  const names = [...script.matchAll(LOADED)].map(([, name = '']) => name);
  return names.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
}
