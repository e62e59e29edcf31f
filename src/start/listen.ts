import cluster from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo, ListenOptions } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LISTENING } from '../features/workers/supervisor.js';
import { Shutdown } from '../platform/http/connections/shutdown.js';
import { Settings } from '../platform/settings/settings.js';

/** Each turn of the event loop accepts one connection of each socket. See docs/decisions/0058. */
const SOCKETS = 16;

/** How long a start waits for another one on the same port to have its sockets. */
const MAX_WAIT_MS = 1000;
const RETRY_MS = 5;

/**
 * Listens on PORT and HOST. Only Linux divides connections between several sockets of one address; elsewhere, and on
 * any free port, workers receive theirs from the supervisor.
 * @param isFirst whether no other worker of this service listens yet
 */
export async function listen(app: NestExpressApplication, isFirst: boolean): Promise<void> {
  const { PORT, HOST } = app.get(Settings);
  if (process.platform !== 'linux' || (PORT === 0 && cluster.isWorker)) await app.listen(PORT, HOST);
  else if (isFirst) await onePerPort(PORT, async () => openSockets(app, await unusedAddress(PORT, HOST)));
  else await openSockets(app, { port: PORT, host: HOST });
  cluster.worker?.send(LISTENING);
}

async function openSockets(app: NestExpressApplication, address: ListenOptions): Promise<void> {
  const options = { ...address, reusePort: true };
  await app.listen(options as unknown as number); // Nest passes it on to the server, which takes options as well
  const server = app.getHttpServer();
  for (let more = 1; more < SOCKETS; more++) {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }); // like those of node:http
    listener.on('connection', (socket) => server.emit('connection', socket));
    await once(listener.listen(options), 'listening');
    app.get(Shutdown).watchListener(listener);
  }
}

/**
 * Several sockets on one address need an option that lets any process of this user add its own. So this listens
 * without the option first, which fails if any other socket listens there.
 */
async function unusedAddress(port: number, host: string): Promise<ListenOptions> {
  const server = createServer();
  await once(server.listen({ port, host, exclusive: true }), 'listening');
  const found = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return { port: found.port, host: found.address };
}

/** Two starts on one port take turns, by a name that the kernel frees when its process ends. */
async function onePerPort(port: number, work: () => Promise<void>): Promise<void> {
  const lock = createServer();
  const end = Date.now() + MAX_WAIT_MS;
  let isLocked = false;
  while (!isLocked && Date.now() < end) {
    isLocked = await once(lock.listen(`\0sealpush-${port}`), 'listening').then(
      () => true,
      () => setTimeout(RETRY_MS, false),
    );
  }
  try {
    await work();
  } finally {
    if (isLocked) lock.close();
  }
}
