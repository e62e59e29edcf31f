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

/** Whether Redis is installed. */
export const hasRedis = REDIS !== undefined;

/** A Redis server for one test, without persistence, which can be paused and killed. */
export class Redis {
  private process?: ChildProcess;

  private constructor(
    readonly port: number,
    private readonly options: string[],
  ) {}

  /** Returns a server that is not started yet. */
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
        reject(new Error(`redis-server has exited: ${output}`));
      });
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.process?.kill(signal);
  }

  /** Kills it like a crash, even while it is paused. */
  async kill(): Promise<void> {
    const { process } = this;
    this.process = undefined;
    if (!process) return;
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  }

  /** Runs a command and returns its output, one line for each value. */
  async say(...command: string[]): Promise<string[]> {
    const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(this.port), ...command]);
    return stdout.split('\n').filter(Boolean);
  }
}
