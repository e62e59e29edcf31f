import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Client } from './client.js';

/** A server that a script has started as its last command. */
export interface StartedService {
  anonymous: Client;
  stop(): Promise<void>;
}

/** Runs the commands that the documentation gives operators, in a folder that stands in for the project's. */
export class OperatorShell {
  private constructor(
    readonly folder: string,
    private readonly env: Record<string, string>,
  ) {}

  /**
   * @param programs scripts that replace programs of the same name
   */
  static async in(
    folder: string,
    env: Record<string, string>,
    programs: Record<string, string> = {},
  ): Promise<OperatorShell> {
    const bin = join(folder, '..', 'bin');
    await mkdir(bin, { recursive: true });
    await mkdir(folder);
    // without pre-scripts: they would build again if a source file has changed in the meantime
    const npm = `DATA_DIR=\${DATA_DIR:-$PWD/data} PATH=\${PATH#*:} exec npm --silent --ignore-scripts --prefix '${process.cwd()}' "$@"`;
    for (const [name, script] of Object.entries({ npm, ...programs })) {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(bin, name), 0o755);
    }
    const PATH = `${bin}${delimiter}${process.env.PATH}`;
    return new OperatorShell(folder, { PATH, HOME: folder, HOST: '127.0.0.1', PORT: '0', ...env });
  }

  /** Runs a script to its end and returns its stdout; rejects when a command fails. */
  async run(script: string): Promise<string> {
    const { child, exit, output } = this.spawn(script);
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const [code] = await exit;
    if (code !== 0) throw new Error(`exit ${code} of ${script}: ${output()}`);
    return stdout;
  }

  /** Runs a script whose last command starts the server. */
  async start(script: string): Promise<StartedService> {
    const { child, exit, output } = this.spawn(script);
    const url = await new Promise<string>((resolve, reject) => {
      const read = () => {
        const address = /"address":"(http:[^"]+:\d+)"/.exec(output())?.[1];
        if (address) resolve(address);
      };
      child.stdout.on('data', read);
      void exit.then(([code]) => {
        reject(new Error(`exit ${code} of ${script}: ${output()}`));
      });
    });
    return {
      anonymous: new Client(url),
      stop: async () => {
        if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM');
        await exit;
      },
    };
  }

  /** In its own process group, so that all its processes can be stopped. */
  private spawn(script: string) {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: this.folder,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const exit = once(child, 'close') as Promise<[number | null]>;
    let output = '';
    const read = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    return { child, exit, output: () => output };
  }
}
