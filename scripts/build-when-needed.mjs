// Builds dist/ when it is absent or older than its sources. Prints to stderr: stdout is for the command's output.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = ['dist/main.js', 'packages/client/dist/sealpush.1']; // the first and the last file of a build
const USUAL_SECONDS = 20; // on two cores
const SOURCES = [
  'src',
  'packages/client/src',
  'packages/client/build.mjs',
  'packages/client/bundle-command.mjs',
  'scripts',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const newest = (path) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? Math.max(modified(path), ...readdirSync(path).map((name) => newest(join(path, name))))
    : modified(path);

const sourcesAreHere = modified('src') > 0; // a container image has only dist/
if (sourcesAreHere && Math.min(...BUILT.map(modified)) < Math.max(...SOURCES.map(newest))) {
  const why = modified(BUILT[0]) > 0 ? 'the sources have changed' : 'first start';
  console.error(`Building (${why}, about ${USUAL_SECONDS} s)…`);
  const startedAt = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
  console.error(
    status === 0
      ? `Built in ${Math.round((performance.now() - startedAt) / 1000)} s.`
      : 'sealpush: The build failed; its messages are above.',
  );
}
