// Builds dist/: the library, and the command as one file without dependencies, with its man page. Types are built for a
// package only.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const FOLDER = import.meta.dirname;
const { version, dependencies } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'));
rmSync(`${FOLDER}/dist`, { recursive: true, force: true });

const options = { absWorkingDir: FOLDER, bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' };
await build({
  ...options,
  entryPoints: ['src/index.ts'],
  outfile: 'dist/index.js',
  external: Object.keys(dependencies),
});
await build({
  ...options,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/sealpush.mjs',
  platform: 'node',
  target: 'node20',
  define: { VERSION: JSON.stringify(version) },
  // what is bundled of packages in CommonJS requires modules of Node.js
  banner: {
    js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
  },
});
chmodSync(`${FOLDER}/dist/sealpush.mjs`, 0o755);
writeFileSync(
  `${FOLDER}/dist/sealpush.1`,
  execFileSync(process.execPath, [`${FOLDER}/dist/sealpush.mjs`, 'man']),
);
