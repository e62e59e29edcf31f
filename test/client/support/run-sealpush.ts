import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { CHILD_ENV } from '../../support/child-env.js';

export interface Result {
  /** Null when it was killed. */
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

/** Runs the built command. Its environment has nothing but what is given. */
export type RunSealpush = (
  args: string[],
  input?: Buffer | string,
  env?: Record<string, string>,
) => Promise<Result>;

/** The command as somebody runs it who has a folder for its configuration, and these variables. */
export function sealpushOf(folder: () => string, env: () => Record<string, string>): RunSealpush {
  return (args, input = '', more = {}) =>
    runNode(['packages/client/dist/sealpush.mjs', ...args], input, {
      SEALPUSH_CONFIG: join(folder(), 'config'),
      ...env(),
      ...more,
    });
}

/** Runs a program of Node.js, without a terminal. */
export function runNode(
  args: string[],
  input: Buffer | string,
  env: Record<string, string>,
): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env: { ...CHILD_ENV, ...env } });
    const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    child.stdout.on('data', (bytes: Buffer) => output.stdout.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => output.stderr.push(bytes));
    child.on('close', (code) => {
      resolve({
        code,
        stdout: Buffer.concat(output.stdout),
        stderr: Buffer.concat(output.stderr).toString(),
      });
    });
    child.stdin.on('error', () => undefined); // it may not read all of its input
    child.stdin.end(input);
  });
}

/** What it has printed; fails if it has. */
export function printedBy({ code, stdout, stderr }: Result): string {
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return stdout.toString().trim();
}
