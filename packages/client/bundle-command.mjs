import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const FOLDER = import.meta.dirname;

/** The package.json of the client. */
export const { version, dependencies } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'));

export const OPTIONS = {
  absWorkingDir: FOLDER,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
};

/** What is bundled of packages in CommonJS requires modules of Node.js. */
const REQUIRE =
  "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);";

/** Writes the command as one file without dependencies: a module, or a script in CommonJS. */
export async function bundleCommand(outfile, format = 'esm') {
  await build({
    ...OPTIONS,
    format,
    entryPoints: ['src/cli/main.ts'],
    outfile,
    platform: 'node',
    target: 'node20',
    minify: true, // most of it is the SDK of MCP, which other commands only read past
    define: { VERSION: JSON.stringify(version) },
    banner: format === 'esm' ? { js: REQUIRE } : {},
  });
}
