import { pathToFileURL } from 'node:url';
import { freePort } from '../../support/free-port.js';
import type { Place } from '../../support/place.js';
import type { SpawnedServer } from '../../support/spawn-server.js';
import { spawnServer } from '../../support/spawn-server.js';

const OBSERVER = pathToFileURL('test/hard/support/observe-process.mjs').href;

/** A server process that is observed from inside. */
export interface ObservedServer extends SpawnedServer {
  /** The longest time in milliseconds that its event loop was held since this was last asked. */
  longestHold(): Promise<number>;
  /** Bytes in use after a garbage collection: what has been freed can stay with the allocator. */
  memoryInUse(): Promise<number>;
}

export async function spawnObserved(place: Place, env: NodeJS.ProcessEnv = {}): Promise<ObservedServer> {
  const port = String(await freePort());
  const server = await spawnServer(place, {
    NODE_OPTIONS: `--import ${OBSERVER}`,
    OBSERVER_PORT: port,
    ...env,
  });
  const ask = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as number;
  return {
    ...server,
    longestHold: () => ask('/longest-hold'),
    memoryInUse: () => ask('/memory-in-use'),
  };
}
