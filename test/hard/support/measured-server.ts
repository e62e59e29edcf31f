import { readdirSync, readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ObservedServer } from './observed-server.js';
import { spawnObserved } from './observed-server.js';
import type { Instance } from '../../support/instance.js';
import { makeInstance } from '../../support/instance.js';
import type { SpawnedServer } from '../../support/spawn-server.js';

/** Measurements of a server over a period. */
export interface Seen {
  /** The longest time in milliseconds that GET /up took, without the time the server waited for a CPU. */
  longestWait: number;
  /** Bytes of resident memory. */
  maxMemory: number;
  maxDescriptors: number;
}

/** Measures a server from a separate process, so that work in the test does not distort the result. */
export class ServerWatch {
  private readonly end: Promise<never>;

  private constructor(private readonly watcher: ChildProcess) {
    this.end = once(watcher, 'exit').then(() => {
      throw new Error('the server can no longer be watched');
    });
    this.end.catch(() => undefined);
  }

  static async of({ url, process: { pid } }: SpawnedServer): Promise<ServerWatch> {
    const watcher = fork('test/hard/support/watch-server.mjs', [url, String(pid)], { execArgv: [] });
    await once(watcher, 'message');
    return new ServerWatch(watcher);
  }

  /** The measurements while the action runs. */
  async during(act: () => Promise<unknown>): Promise<Seen> {
    this.watcher.send('begin');
    await act();
    this.watcher.send('end');
    const [seen] = (await Promise.race([once(this.watcher, 'message'), this.end])) as [Seen];
    return seen;
  }

  stop(): void {
    this.watcher.disconnect();
  }
}

/** What an operation has cost a server. */
export interface Cost {
  /** The longest time in milliseconds that GET /up took. */
  longestWait: number;
  /** The longest time in milliseconds that the event loop was blocked. */
  longestBlock: number;
  /** The highest increase of resident memory, in bytes. */
  growth: number;
  /** The highest increase of open file descriptors. */
  opened: number;
}

/** The default rate limit, and client addresses are taken from X-Forwarded-For. */
const SETTINGS = {
  TRUSTED_PROXIES: '127.0.0.1',
  REQUESTS_PER_MINUTE: '120',
  FILES_REQUIRE_AUTHENTICATION: 'false',
  EXPIRE_AFTER_VIEWS_MAX: '1000000',
};

/** A server process with its own instance, with measurements of what requests cost it. */
export interface MeasuredServer extends ObservedServer {
  instance: Instance;
  costOf(act: () => Promise<unknown>): Promise<Cost>;
  residentMemory(): number;
  openDescriptors(): number;
}

/** @param existing its instance, which is deleted when it stops; by default a new one */
export async function startMeasured(
  env: NodeJS.ProcessEnv = {},
  existing?: Instance,
): Promise<MeasuredServer> {
  const instance = existing ?? (await makeInstance());
  const server = await spawnObserved(instance, { ...SETTINGS, ...env });
  const watch = await ServerWatch.of(server);
  const proc = `/proc/${server.process.pid}`;

  const residentMemory = () => {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${proc}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  };
  const openDescriptors = () => readdirSync(`${proc}/fd`).length;
  return {
    ...server,
    instance,
    residentMemory,
    openDescriptors,
    costOf: async (act) => {
      const [memory, descriptors] = [residentMemory(), openDescriptors()];
      await server.longestBlock();
      const seen: Seen = await watch.during(act);
      return {
        longestWait: seen.longestWait,
        longestBlock: await server.longestBlock(),
        growth: seen.maxMemory - memory,
        opened: seen.maxDescriptors - descriptors,
      };
    },
    stop: async (...signal) => {
      watch.stop();
      const exit = await server.stop(...signal);
      await instance.destroy();
      return exit;
    },
  };
}
