// Builds the command as an executable that needs no Node.js, for the platform that this runs on:
// node build-executable.mjs [PATH], by default dist/sealpush-PLATFORM-ARCHITECTURE.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inject } from 'postject';
import { bundleCommand, version } from './bundle-command.mjs';

/** Where Node.js looks for what it should run: see its documentation on single executable applications. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const { execPath, platform, arch, argv } = process;
const output = resolve(argv[2] ?? `${import.meta.dirname}/dist/sealpush-${platform}-${arch}`);
const work = mkdtempSync(join(tmpdir(), 'sealpush-executable-'));
try {
  const [main, blob, config] = ['sealpush.cjs', 'blob', 'config.json'].map((name) => join(work, name));
  await bundleCommand(main, 'cjs');
  const options = { main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true };
  writeFileSync(config, JSON.stringify(options));
  execFileSync(execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(dirname(output), { recursive: true });
  copyFileSync(execPath, output);
  await inject(output, RESOURCE, readFileSync(blob), { sentinelFuse: FUSE });
} finally {
  rmSync(work, { recursive: true });
}

const printed = execFileSync(output, ['--version'], { encoding: 'utf8' }).trim();
if (printed !== version) throw new Error(`${output} prints the version ${printed} instead of ${version}`);
console.log(`${output}: ${Math.round(statSync(output).size / 1024 ** 2)} MiB`);
