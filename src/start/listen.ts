import cluster from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo, ListenOptions } from 'node:net';
import { createServer, isIP } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { lockPort } from '../features/workers/port-lock.js';
import { LISTENING } from '../features/workers/supervisor.js';
import { Shutdown } from '../platform/http/connections/shutdown.js';
import { Settings } from '../platform/settings/settings.js';

/** Each turn of the event loop accepts one connection of each socket. See docs/decisions/0058. */
const SOCKETS = 16;

/**
 * Listens on PORT and HOST. Workers of which each might resolve another address or port, and all where the system does
 * not divide connections between sockets, have one socket, which is that of the supervisor.
 * @param isFirst whether no other worker of this service listens yet
 */
export async function listen(app: NestExpressApplication, isFirst: boolean): Promise<void> {
  const { PORT, HOST } = app.get(Settings);
  const mayDiffer = cluster.isWorker && (PORT === 0 || isIP(HOST) === 0);
  if (mayDiffer || !(await dividesConnections(HOST))) await app.listen(PORT, HOST);
  else if (cluster.isWorker && !isFirst) await openSockets(app, { port: PORT, host: HOST });
  else {
    const lock = cluster.isWorker ? undefined : await lockPort({ PORT, HOST }); // the supervisor has that of workers
    if (lock) app.get(Shutdown).watchListener(lock);
    await openSockets(app, PORT === 0 ? { port: 0, host: HOST } : await unusedAddress(PORT, HOST));
  }
  cluster.worker?.send(LISTENING);
}

async function openSockets(app: NestExpressApplication, address: ListenOptions): Promise<void> {
  const first = { ...address, reusePort: true };
  await app.listen(first as unknown as number); // Nest passes it on to the server, which takes options as well
  const server = app.getHttpServer();
  const { address: host, port } = server.address() as AddressInfo;
  for (let more = 1; more < SOCKETS; more++) {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }); // like those of node:http
    listener.on('connection', (socket) => server.emit('connection', socket));
    await once(listener.listen({ host, port, reusePort: true }), 'listening');
    app.get(Shutdown).watchListener(listener);
  }
}

async function dividesConnections(host: string): Promise<boolean> {
  const server = createServer();
  return once(server.listen({ port: 0, host, reusePort: true }), 'listening').then(
    () => {
      server.close();
      return true;
    },
    () => false,
  );
}

/**
 * Several sockets on one address need an option that lets any process of this user add its own. So this listens
 * without the option first, which fails if any other socket listens there.
 */
async function unusedAddress(port: number, host: string): Promise<ListenOptions> {
  const server = createServer();
  await once(server.listen({ port, host, exclusive: true }), 'listening');
  const { address } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return { port, host: address };
}
