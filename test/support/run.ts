import { execFile } from 'node:child_process';
import { CHILD_ENV } from './child-env.js';
import type { Instance } from './instance.js';

/** The exit code and output of a process. */
export interface Run {
  /** Null when it was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a built program until it exits, or is killed after `killAfter` milliseconds. */
export function run(
  script: 'main.js' | 'cli.js' | 'health-check.js',
  instance: Pick<Instance, 'env'>,
  { env = {}, args = [], input = '', killAfter = 0 }: RunOptions = {},
): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`dist/${script}`, ...args],
      {
        env: { ...CHILD_ENV, HOST: '127.0.0.1', PORT: '0', ...instance.env, ...env },
        timeout: killAfter,
        killSignal: 'SIGKILL',
      },
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      },
    );
    child.stdin?.end(input);
  });
}

export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  args?: string[];
  /** Its standard input. */
  input?: string;
  killAfter?: number;
}
