import { readdirSync, readFileSync } from 'node:fs';
import type { ObservedServer } from './observed-server.js';
import { spawnObserved } from './observed-server.js';
import type { Seen } from './server-watch.js';
import { ServerWatch } from './server-watch.js';
import type { Instance } from '../../support/instance.js';
import { makeInstance } from '../../support/instance.js';

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
