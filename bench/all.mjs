// npm run bench:all: every benchmark, one after the other, whether or not the one before kept its promises.
import { spawnSync } from 'node:child_process';

for (const script of ['run', 'growth', 'files']) {
  const { status } = spawnSync(process.execPath, [`bench/${script}.mjs`], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
