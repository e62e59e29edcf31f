import { pathToFileURL } from 'node:url';
import { freePort } from '../../support/free-port.js';
import type { Instance } from '../../support/instance.js';
import type { SpawnedServer } from '../../support/spawn-server.js';
import { spawnServer } from '../../support/spawn-server.js';

const OBSERVER = pathToFileURL('test/hard/support/observe-process.mjs').href;

/** A server process with measurements from inside the process. */
export interface ObservedServer extends SpawnedServer {
  /** The longest time in milliseconds that its event loop was blocked since the last call. */
  longestBlock(): Promise<number>;
  /** Bytes in use after a garbage collection, without freed memory that the allocator keeps. */
  memoryInUse(): Promise<number>;
}

export async function spawnObserved(
  instance: Instance,
  env: NodeJS.ProcessEnv = {},
): Promise<ObservedServer> {
  const port = String(await freePort());
  const server = await spawnServer(instance, {
    NODE_OPTIONS: `--import ${OBSERVER}`,
    OBSERVER_PORT: port,
    ...env,
  });
  const ask = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as number;
  return {
    ...server,
    longestBlock: () => ask('/longest-block'),
    memoryInUse: () => ask('/memory-in-use'),
  };
}
