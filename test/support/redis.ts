import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';

const REDIS = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'redis-server'))
  .find(existsSync);

/** Whether there is a Redis here to test with. */
export const hasRedis = REDIS !== undefined;

/** A Redis of the test's own that keeps nothing on disk, and which can be ill-treated. */
export class Redis {
  private process?: ChildProcess;

  private constructor(
    readonly port: number,
    private readonly options: string[],
  ) {}

  /** One that is not started yet. */
  static async at(...options: string[]): Promise<Redis> {
    return new Redis(await freePort(), options);
  }

  static async start(...options: string[]): Promise<Redis> {
    const redis = await Redis.at(...options);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', ...this.options];
    const child = spawn(REDIS ?? 'redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.process = child;
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ready to accept connections')) resolve();
      });
      child.once('exit', () => {
        reject(new Error(`redis-server has ended: ${output}`));
      });
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.process?.kill(signal);
  }

  /** Ends it as a crash would, also while it is stopped. */
  async kill(): Promise<void> {
    const { process } = this;
    this.process = undefined;
    if (!process) return;
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  }

  /** What Redis says to a command, a line for each value. */
  async say(...command: string[]): Promise<string[]> {
    const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(this.port), ...command]);
    return stdout.split('\n').filter(Boolean);
  }
}
