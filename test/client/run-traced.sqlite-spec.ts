import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../support/find-program.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { Sealpush } from './support/sealpush.js';

const SECRET = 'correct-horse-battery-staple';
/** Whatever starts programs, opens files or writes. */
const CALLS = 'execve,execveat,open,openat,openat2,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg';

const strace = findProgram('strace', '`sealpush run` keeps the secret out of files and arguments');
const canTrace = strace !== undefined && spawnSync(strace, ['-o', '/dev/null', 'true']).status === 0;
if (strace !== undefined && !canTrace)
  console.error(
    '!!! NO STRACE: this machine lets no process trace another: `sealpush run` is not traced !!!',
  );

(canTrace ? describe : describe.skip)('`sealpush run`', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());
  const folder = forEachTest(makeFolder);
  const sealpush = new Sealpush(running, owner, folder);

  /** The system calls of a run, and those of all that it starts, that have a text. */
  const callsWith = async (text: (link: string) => string, options: string[], script: string) => {
    const link = await sealpush.push(SECRET);
    const trace = join(folder.path, 'trace');
    const tracing = ['-f', '-yy', '-s', '100000', '-e', `trace=${CALLS}`, '-o', trace];
    const args = ['run', ...options, '-', '--', 'sh', '-c', script];
    const { child, ended } = sealpush.start(args, {}, [strace ?? '', ...tracing]);
    child.stdin?.end(link);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    const calls = readFileSync(trace, 'utf8').split('\n');
    expect(calls.filter((call) => call.includes('execve(') && call.includes('"sh"')).length).toBeGreaterThan(
      0,
    );
    return calls.filter((call) => call.includes(text(link)));
  };

  it('puts the secret into no file and no argument', async () => {
    expect(
      await callsWith(() => SECRET, [], `test "$SECRET" = ${SECRET.slice(0, 7)}\${SECRET#???????}`),
    ).toEqual([]);
  });

  it('puts the key of the link into none either', async () => {
    const key = (link: string) => link.split('#1')[1] ?? link;

    expect(await callsWith(key, [], 'test -n "$SECRET"')).toEqual([]);
  });

  it('gives it to a file descriptor by a pipe alone', async () => {
    const calls = await callsWith(() => SECRET, ['--fd', '3'], 'read -r word <&3; test -n "$word"');

    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) expect(call).toMatch(/(write|writev|sendto|sendmsg)\(\d+<(UNIX|pipe)[^>]*>/);
  });

  it('is seen to do so if the command does', async () => {
    const path = join(folder.path, 'written');

    expect((await callsWith(() => SECRET, [], `printf %s "$SECRET" > '${path}'`)).join()).toContain(
      `<${path}>, "${SECRET}"`,
    );
  });
});
