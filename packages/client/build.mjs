// Builds dist/: the library, and the command as one file without dependencies, with its man page. Types are built for a
// package only.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleCommand, dependencies, OPTIONS } from './bundle-command.mjs';

const DIST = `${import.meta.dirname}/dist`;
const COMMAND = `${DIST}/sealpush.mjs`;

rmSync(DIST, { recursive: true, force: true });
await build({
  ...OPTIONS,
  entryPoints: ['src/index.ts'],
  outfile: `${DIST}/index.js`,
  external: Object.keys(dependencies),
});
await bundleCommand(COMMAND);
chmodSync(COMMAND, 0o755);
writeFileSync(`${DIST}/sealpush.1`, execFileSync(process.execPath, [COMMAND, 'man']));
