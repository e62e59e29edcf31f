import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beginForm } from '../support/begin-form.js';
import { CHILD_ENV } from '../support/child-env.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { makeNewInstance } from '../support/instance.js';

const CTRL_C = '\u0003';

/** Logs an event, then fails without waiting for anything. */
const LOG_AND_CRASH = `
  const { Log } = await import('./dist/platform/logging/log.js');
  new Log({ LOG_LEVEL: 'info', LOG_FORMAT: process.env.LOG_FORMAT }).event('An event', { a: 'b c' });
  throw new Error('unexpected');
`;

/** Passes SIGHUP on to the server, as a shell does, and writes to a file with what that has exited. */
const RECORD_EXIT = `
  const server = require('node:child_process').spawn(process.execPath, ['dist/main.js'], { stdio: 'inherit' });
  process.on('SIGHUP', () => server.kill('SIGHUP'));
  server.on('exit', (code, signal) => require('node:fs').writeFileSync(process.env.RECORD, String(code ?? signal)));
`;

const withoutTime = (line: string) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /, '');

const TEXT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO {2}An event {2}a="b c"$/m;
const JSON_LINE = /^\{"level":"info","time":"[^"]+","a":"b c","msg":"An event"\}$/m;

describe('At a terminal the server', () => {
  it('says what it created and what to open, waits for open requests after Ctrl-C, and exits with 0', async () => {
    const instance = await makeNewInstance();
    const env = { PORT: '0', FILES_REQUIRE_AUTHENTICATION: 'false', ...instance.env };
    const server = new Program('terminal', 'dist/main.js', env);
    await eventually(() => server.output().includes('code=') || server.hasExited());
    const url = /address=(http:\/\/localhost:\d+)$/m.exec(server.output())?.[1] ?? '';
    const form = beginForm(new Client(url), 'tulip', { Expect: '100-continue' });
    await once(form.sending, 'continue');
    server.type(CTRL_C);
    await eventually(() => server.output().includes('waiting'));
    form.sending.end('\r\n--b--\r\n');
    const { status } = await form.response;
    const code = await server.exitCode();
    await instance.destroy();

    expect([status, code]).toEqual([201, 0]);
    expect(server.output().trim().split('\n').map(withoutTime)).toEqual([
      `INFO  Created the database  path=${instance.dataDir}/sealpush.sqlite3`,
      `INFO  Created the master key. Keep a copy of it, separate from copies of the database: without it nothing can be decrypted  path=${instance.dataDir}/master.key`,
      `INFO  Listening  address=${url}`,
      `INFO  API documentation  address=${url}/api/docs`,
      expect.stringMatching(
        /^INFO {2}Create the first administrator at this address, with this code {2}address=\S+\/setup code=[0-9a-f]{32}$/,
      ),
      'INFO  Stopping; waiting for open requests  requests=1',
      expect.stringMatching(/^INFO {2}request {2}method=POST route=\/api\/v2\/pushes status=201 /),
      'INFO  Stopped by SIGINT  requests=1',
    ]);
  });

  it.each(['1', '2'])('with %s processes stops in order when the terminal is closed', async (WORKERS) => {
    const instance = await makeNewInstance();
    const stopped = join(instance.dataDir, 'stopped');
    const env = { PORT: '0', WORKERS, ...instance.env, CODE: RECORD_EXIT, RECORD: stopped };
    const server = new Program('terminal', '--eval "$CODE"', env);
    await eventually(() => server.output().includes('code=') || server.hasExited());
    server.close();
    await eventually(() => existsSync(stopped) && readFileSync(stopped, 'utf8') !== '');
    const code = readFileSync(stopped, 'utf8');
    await instance.destroy();

    expect(code).toBe('0');
  });
});

describe('A process that fails has logged everything before', () => {
  it.each([
    ['as text in colour at a terminal', 'terminal', {}, TEXT, true],
    ['as text without colour with NO_COLOR', 'terminal', { NO_COLOR: '1' }, TEXT, false],
    ['as JSON at a terminal with LOG_FORMAT=json', 'terminal', { LOG_FORMAT: 'json' }, JSON_LINE, false],
    ['as JSON in a pipe', 'pipe', {}, JSON_LINE, false],
    ['as text without colour in a pipe with LOG_FORMAT=text', 'pipe', { LOG_FORMAT: 'text' }, TEXT, false],
  ] as const)('%s', async (_name, stdout, env, line, hasColors) => {
    const program = new Program(stdout, `--input-type=module --eval "$CODE"`, {
      ...env,
      CODE: LOG_AND_CRASH,
    });

    expect(await program.exitCode()).toBe(1);
    expect(program.output()).toMatch(line);
    expect(program.hasColorsIn('An event')).toBe(hasColors);
  });
});

/** Node.js with its stdout in a terminal or in a pipe. */
class Program {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly closed: Promise<[number | null]>;
  private shown = '';

  constructor(stdout: 'terminal' | 'pipe', args: string, env: Record<string, string>) {
    const command = `exec '${process.execPath}' ${args}`;
    const [program, ...rest] =
      stdout === 'terminal' ? ['script', '-qec', command, '/dev/null'] : ['sh', '-c', command];
    this.child = spawn(program, rest, { env: { ...CHILD_ENV, TERM: 'xterm', SHELL: '/bin/sh', ...env } });
    this.closed = once(this.child, 'close') as Promise<[number | null]>;
    this.child.stdout.on('data', (chunk: Buffer) => (this.shown += chunk.toString()));
  }

  /** Presses keys. */
  type(keys: string): void {
    this.child.stdin.write(keys);
  }

  /** Closes the terminal. */
  close(): void {
    this.child.kill('SIGKILL');
  }

  async exitCode(): Promise<number | null> {
    return (await this.closed)[0];
  }

  hasExited(): boolean {
    return this.child.exitCode !== null;
  }

  /** In the line that has the text. */
  hasColorsIn(text: string): boolean {
    return this.shown.split('\n').some((line) => line.includes(text) && line.includes('\u001b['));
  }

  /** What it has written, without colours and what the terminal adds. */
  output(): string {
    return stripVTControlCharacters(this.shown).replaceAll(/\r|\^C/g, '');
  }
}
