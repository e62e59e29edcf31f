import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHILD_ENV } from '../../../test/support/child-env.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { insertPushes } from '../../../test/support/insert-pushes.js';
import { startApp } from '../../../test/support/start-app.js';

const MOST_MORE = 1.3;
/** Prints the greatest resident memory of a process when it exits, in kB. */
const REPORT = `data:text/javascript,import { readFileSync } from 'node:fs';
process.on('exit', () => process.stderr.write(readFileSync('/proc/self/status', 'utf8').match(/VmHWM:.*/)[0]));`;

describe('An export', () => {
  const running = forAllTests(startApp);

  /** The most memory that an export takes, in kB. */
  const memoryOfExport = async () => {
    const file = join(tmpdir(), randomUUID());
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', REPORT, 'dist/cli.js', 'export', file],
      { env: { ...CHILD_ENV, ...running.instance.env } },
    );
    await rm(file);
    return Number(/VmHWM:\s+(\d+) kB/.exec(stderr)?.[1]);
  };

  it('takes hardly more memory for ten times as many rows (L4)', async () => {
    const expiresAt = "'2096-01-01 00:00:00.000'";
    await insertPushes(running, 4, { batch: 'few', expiresAt });
    const few = await memoryOfExport();
    await insertPushes(running, 5, { batch: 'many', expiresAt });
    const many = await memoryOfExport();

    expect(many / few).toBeLessThan(MOST_MORE);
  }, 180_000);
});
