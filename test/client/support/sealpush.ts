import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CHILD_ENV } from '../../support/child-env.js';
import type { Folder } from '../../support/folder.js';

export const SCRIPT = 'packages/client/dist/sealpush.mjs';
const OLDEST = [20, 11];

export interface Result {
  /** Null if a signal has ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
}

/** The command, as its users run it: without a terminal, and with a configuration of its own. */
export class Sealpush {
  constructor(
    private readonly server: { url: string },
    private readonly owner: { token: string },
    private readonly folder: Folder,
    private readonly command: readonly string[] = [process.execPath, SCRIPT],
  ) {}

  /** The variables that each run gets. */
  env(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    return {
      ...CHILD_ENV,
      SEALPUSH_CONFIG: join(this.folder.path, 'config'),
      SEALPUSH_URL: this.server.url,
      SEALPUSH_TOKEN: this.owner.token,
      ...more,
    };
  }

  async run(args: string[], input: Buffer | string = '', env: Record<string, string> = {}): Promise<Result> {
    const { child, ended } = this.start(args, env);
    child.stdin?.end(input);
    return ended;
  }

  /** Prints the link of what it was given. */
  async push(text: string, ...args: string[]): Promise<string> {
    return linkOf(await this.run(['push', ...args], text));
  }

  /** Starts it, by another program if there is one, and leaves its input open. */
  start(
    args: string[],
    env: Record<string, string> = {},
    by: readonly string[] = [],
  ): { child: ChildProcess; ended: Promise<Result> } {
    const [program = '', ...rest] = [...by, ...this.command, ...args];
    const child = spawn(program, rest, { env: this.env(env) });
    return { child, ended: resultOf(child) };
  }
}

/** What a process has printed once it has ended. */
export function resultOf(child: ChildProcess): Promise<Result> {
  const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  child.stdout?.on('data', (bytes: Buffer) => output.stdout.push(bytes));
  child.stderr?.on('data', (bytes: Buffer) => output.stderr.push(bytes));
  child.stdin?.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const [stdout, stderr] = [Buffer.concat(output.stdout), Buffer.concat(output.stderr).toString()];
      resolve({ code, signal, stdout, stderr });
    });
  });
}

/** Runs the command. Its environment has nothing but what is given. */
export type RunSealpush = (
  args: string[],
  input?: Buffer | string,
  env?: Record<string, string>,
) => Promise<Result>;

/** The command as somebody runs it who has a folder for its configuration, and these variables. */
export function sealpushOf(folder: () => string, env: () => Record<string, string>): RunSealpush {
  return (args, input = '', more = {}) =>
    runNode([SCRIPT, ...args], input, { SEALPUSH_CONFIG: join(folder(), 'config'), ...env(), ...more });
}

/** Runs a program of Node.js, without a terminal. */
export function runNode(
  args: string[],
  input: Buffer | string,
  env: Record<string, string>,
): Promise<Result> {
  const child = spawn(process.execPath, args, { env: { ...CHILD_ENV, ...env } });
  const ended = resultOf(child);
  child.stdin.end(input);
  return ended;
}

/** What it has printed; fails if it has. */
export function printedBy({ code, stdout, stderr }: Result): string {
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return stdout.toString().trim();
}

export function linkOf({ stdout }: Result): string {
  return stdout.toString().trim();
}

/**
 * Versions of Node.js with their programs: the one that runs the tests, and others in PATH that the command supports, such as
 * an older one of the system.
 */
export function versionsOfNode(): [version: string, program: string][] {
  const installed = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const programs = [process.execPath, ...installed.filter((program) => existsSync(program))];
  const versions = new Map<string, string>();
  for (const program of programs) {
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
    if (isSupported(version) && !versions.has(version)) versions.set(version, program);
  }
  if (versions.size === 1)
    console.error('!!! ONE NODE.JS: the command is not tested with an older one, which PATH would name !!!');
  return [...versions];
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
