import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const PATIENCE_MS = 40_000;
const POLL_MS = 200;

/** A program that runs in the background; what it writes goes to a file. */
export class Daemon {
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown>;

  constructor(command: string, args: string[], log: string) {
    const output = openSync(log, 'a');
    const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` }; // where Debian puts daemons
    this.child = spawn(command, args, { stdio: ['ignore', output, output], env, cwd: dirname(log) });
    this.exit = once(this.child, 'exit');
  }

  /** Has it pause, say, or go on. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.signal(signal);
    await this.exit;
  }
}

/** Asks until the answer is yes. */
export async function until(question: () => Promise<boolean>): Promise<void> {
  const patience = Date.now() + PATIENCE_MS;
  while (!(await question().catch(() => false))) {
    if (Date.now() > patience) throw new Error('waited in vain');
    await setTimeout(POLL_MS);
  }
}
