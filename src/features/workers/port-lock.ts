import { once } from 'node:events';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import type { Settings } from '../../platform/settings/settings.js';

/**
 * Keeps other processes of this service from listening on the same port and host, by a name in the kernel's abstract
 * namespace, which is free once the process has ended. Undefined where there is no such namespace, or any port will do.
 * @throws EADDRINUSE when another process has it
 */
export async function lockPort({ PORT, HOST }: Pick<Settings, 'PORT' | 'HOST'>): Promise<Server | undefined> {
  if (PORT === 0) return undefined;
  const lock = createServer();
  try {
    await once(lock.listen({ path: `\0sealpush-${HOST}-${PORT}`, exclusive: true }), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return undefined;
    throw Object.assign(error as Error, { address: HOST, port: PORT });
  }
  return lock;
}
