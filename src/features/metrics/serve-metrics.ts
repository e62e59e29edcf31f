import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../../platform/logging/log.js';
import { StartError } from '../../platform/settings/start-error.js';

/**
 * Serves the metrics on a separate port, which need not be public.
 * @throws StartError when it cannot listen on the port
 */
export async function serveMetrics(
  port: number,
  host: string,
  metrics: () => Promise<string>,
  log: Log,
): Promise<Server> {
  const respond = async ({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (method !== 'GET' || url !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not-found"}');
      return;
    }
    try {
      const text = await metrics();
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    } catch (error) {
      log.failure('The metrics cannot be collected', error);
      response.writeHead(500).end();
    }
  };

  const server = createServer((request, response) => void respond(request, response));
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartError(`Metrics cannot be served on port ${port} of ${host} (${code}). Set METRICS_PORT.`);
  }
  log.event('Serving metrics', { port: (server.address() as AddressInfo).port });
  return server;
}
