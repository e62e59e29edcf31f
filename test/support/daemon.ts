import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const TIMEOUT_MS = 40_000;
const POLL_MS = 200;

/** A program that runs in the background and writes its output to a file. */
export class Daemon {
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown>;

  constructor(command: string, args: string[], log: string, env: NodeJS.ProcessEnv = {}) {
    const output = openSync(log, 'a');
    const PATH = `${process.env.PATH ?? ''}:/usr/sbin`; // where Debian puts daemons
    this.child = spawn(command, args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, PATH, ...env },
      cwd: dirname(log),
    });
    this.exit = once(this.child, 'exit');
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** For example to pause or resume it. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.hasExited) return;
    this.signal(signal);
    await this.exit;
  }
}

/** Polls until the condition is true. */
export async function until(condition: () => Promise<boolean>, timeoutMs = TIMEOUT_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`not true after ${timeoutMs} ms`);
    await setTimeout(POLL_MS);
  }
}

/** Waits until a program has written text like this into its log, and returns it. */
export async function textIn(log: string, pattern: RegExp): Promise<string> {
  let found = '';
  await until(async () => (found = pattern.exec(await readFile(log, 'utf8'))?.[0] ?? '') !== '');
  return found;
}
