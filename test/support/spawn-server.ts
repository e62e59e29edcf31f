import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { CHILD_ENV } from './child-env.js';
import { Client } from './client.js';
import { freePort } from './free-port.js';
import type { Instance } from './instance.js';

/** The Node.js arguments of `npm start`. */
const START = (JSON.parse(readFileSync('package.json', 'utf8')).scripts.start as string).split(' ').slice(1);

/** A separate server process, from the build. */
export interface SpawnedServer {
  url: string;
  anonymous: Client;
  process: ChildProcess;
  /** Everything it has written so far. */
  output(): string;
  /** The same, each line parsed: it must be JSON. */
  logLines(): any[];
  /** Stops it and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Joins a cgroup, by the file that lists its processes, and becomes the command. */
const IN_CGROUP = ['sh', '-c', 'echo $$ > "$0" && exec "$@"'];

/**
 * Starts a server process; rejects with its output when it exits before it listens.
 * @param processes of the cgroup that it starts in, by default that of this process
 */
export async function spawnServer(
  instance: Instance,
  env: NodeJS.ProcessEnv = {},
  processes?: string,
): Promise<SpawnedServer> {
  const [command = '', ...parameters] = [
    ...(processes === undefined ? [] : [...IN_CGROUP, processes]),
    process.execPath,
    ...START,
  ];
  const child = spawn(command, parameters, {
    env: {
      ...CHILD_ENV,
      HOST: '127.0.0.1',
      PORT: env.WORKERS === undefined ? '0' : String(await freePort()), // on PORT=0 workers share the supervisor's socket
      REQUESTS_PER_MINUTE: '0',
      ...instance.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /"address":"(http[^"]+)"/.exec(output)?.[1];
      if (address) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      reject(new Error(`exit ${code}: ${output}`));
    });
  });
  return {
    url,
    anonymous: new Client(url),
    process: child,
    output: () => output,
    logLines: () =>
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exit)[0];
    },
  };
}

/** Two processes on one instance. */
export interface TwoServers {
  all: SpawnedServer[];
  /** The one of the caller with this number: they alternate. */
  of(caller: number): SpawnedServer;
  stop(): Promise<unknown>;
}

export async function spawnTwo(instance: Instance, env: NodeJS.ProcessEnv = {}): Promise<TwoServers> {
  const [first, second] = [await spawnServer(instance, env), await spawnServer(instance, env)];
  const all = [first, second];
  return {
    all,
    of: (caller) => (caller % 2 === 0 ? first : second),
    stop: () => Promise.all(all.map((server) => server.stop())),
  };
}

/** Runs one of the operator's commands; rejects when it fails, with `code`, `stdout` and `stderr`. */
export function cli(instance: Instance, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, ['dist/cli.js', ...args], {
    env: { ...CHILD_ENV, ...instance.env },
  });
}
