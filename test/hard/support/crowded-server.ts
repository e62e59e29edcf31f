import { linksOf, pushFiles } from '../../support/files.js';
import { freePort } from '../../support/free-port.js';
import { makeInstance } from '../../support/instance.js';
import type { SpawnedServer } from '../../support/spawn-server.js';
import { spawnServer } from '../../support/spawn-server.js';

const MEBIBYTE = 1024 * 1024;
const CONTENT = Buffer.alloc(8 * MEBIBYTE, 'tulip');

/** A server for many clients, with a file to download that is larger than the socket buffers of a stalled reader. */
export interface CrowdedServer extends SpawnedServer {
  download: string;
  /** Memory in use in the process, without freed memory that its allocator keeps. */
  memoryUsed(): Promise<number>;
  /** The same, after requests that trigger garbage collection. */
  memoryKept(): Promise<number>;
}

/** Starts it with its own instance, which is deleted when it stops. */
export async function startCrowded(): Promise<CrowdedServer> {
  const instance = await makeInstance();
  const metricsPort = await freePort();
  const server = await spawnServer(instance, {
    FILES_REQUIRE_AUTHENTICATION: 'false',
    EXPIRE_AFTER_VIEWS_MAX: '1000000',
    METRICS_PORT: String(metricsPort),
  });
  const { url_token } = await pushFiles(server.anonymous, [{ name: 'large', content: CONTENT }]);
  const [download = ''] = await linksOf(server.anonymous, url_token);

  const memoryUsed = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const bytesOf = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1]);
    return bytesOf('nodejs_heap_size_used_bytes') + bytesOf('nodejs_external_memory_bytes');
  };
  const memoryKept = async () => {
    for (let i = 0; i < 20; i++) await server.anonymous.push({ payload: 'x'.repeat(MEBIBYTE) });
    return memoryUsed();
  };
  const stop: SpawnedServer['stop'] = async (...signal) => {
    const exit = await server.stop(...signal);
    await instance.destroy();
    return exit;
  };
  return { ...server, download, memoryUsed, memoryKept, stop };
}
