import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../support/client.js';
import type { Instance } from '../../support/instance.js';
import type { SpawnedServer } from '../../support/spawn-server.js';
import { spawnServer } from '../../support/spawn-server.js';
import { startNginx } from './nginx.js';

/** Processes that share a database, behind nginx. */
export interface Replicas {
  processes: SpawnedServer[];
  /** Sends its requests to nginx. */
  visitor: Client;
  stop: () => Promise<void>;
}

/** Starts a process for each of these URLs of the same database, all at once: on an empty one, one of them migrates. */
export async function startReplicas(databaseUrls: string[]): Promise<Replicas> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-replicas-'));
  await chmod(folder, 0o755); // nginx serves as another user
  const env = { MASTER_KEYS: randomBytes(32).toString('base64'), TRUSTED_PROXIES: '127.0.0.1' };
  const processes = await Promise.all(databaseUrls.map((url) => spawnServer(instanceOn(url, folder), env)));
  const nginx = await startNginx(
    folder,
    processes.map(({ url }) => url),
  );
  return {
    processes,
    visitor: new Client(nginx.url),
    stop: async () => {
      await nginx.stop();
      await Promise.all(processes.map((process) => process.stop('SIGKILL')));
      await rm(folder, { recursive: true });
    },
  };
}

/** As much of an instance as is needed to start a process, or to open the database. */
export function instanceOn(databaseUrl: string, folder = tmpdir()): Instance {
  return { env: { DATA_DIR: folder, DATABASE_URL: databaseUrl } } as unknown as Instance;
}
