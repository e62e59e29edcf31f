import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Contributions } from '../platform/contributions/contributions.js';
import { Log } from '../platform/logging/log.js';
import { handleClientError } from '../platform/http/connections/client-errors.js';
import { refuseOptions } from '../platform/http/gateway.guard.js';
import {
  Pipelines,
  limitChunks,
  closeStalledConnections,
} from '../platform/http/connections/connection-limits.js';
import { prepareRequests, ServerObserver } from '../platform/http/requests/prepare-requests.js';
import { PublicUrl } from '../platform/http/public-url.js';
import { Shutdown } from '../platform/http/connections/shutdown.js';
import { UnreadResponses } from '../platform/http/connections/unread-responses.js';
import { MemoryBudget } from '../platform/settings/memory-budget.js';
import { isWithin, parseNetworks } from '../platform/settings/networks.js';
import { Settings } from '../platform/settings/settings.js';
import { STOP_SIGNALS } from './stop-signals.js';

/** Large uploads take long. Less than the hour after which stored bytes that no row refers to are deleted. */
const MAX_REQUEST_MS = 50 * 60 * 1000;

/** Timeout of a client that does not read its response; one that does not send its request has twice as long. */
const MAX_SILENCE_MS = 30_000;

/** Longer than proxies keep idle connections, so that none sends a request on one that we are just closing. */
const IDLE_CONNECTION_MS = 75_000;

/** How the app is created, wherever it runs. */
export const APP_OPTIONS = {
  bodyParser: false, // bodies are read after the guards, by what uses BodyReader
  logger: false, // until configureApp sets ours: Nest's own is for terminals, and logs a failed start as a stack trace
  abortOnError: false,
  routeConflictPolicy: { duplicate: 'error' },
} as const;

/** What the server does with every request, before any route. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const settings = app.get(Settings);
  const log = app.get(Log);
  const observers = app.get(Contributions).providers(ServerObserver);
  const measures = observers.flatMap(({ contributed: { request } }) => request ?? []);

  app.useLogger(log);
  app.set('trust proxy', trustIn(settings));
  app.set('etag', false); // a secret is never "not modified"
  app.disable('x-powered-by');
  enableCaseSensitiveRouting(app);
  app.use(prepareRequests(log, app.get(PublicUrl).basePath, measures));
  if (settings.isGateway) app.use(refuseOptions);
  handleEveryRequest(app.getHttpServer());
  const pipelines = limitConnections(app.getHttpServer(), app.get(MemoryBudget).unreadResponses);
  for (const { contributed } of observers) contributed.watch?.(pipelines);
  app.get(Shutdown).watch(app.getHttpServer());
  app.enableShutdownHooks([...STOP_SIGNALS], { useProcessExit: true });
  return app;
}

/** Express itself would take `012.0.0.1` in X-Forwarded-For for an address, and trust what stands before it. */
function trustIn({ TRUSTED_PROXIES }: Settings): false | ((address: string) => boolean) {
  const trusted = parseNetworks(TRUSTED_PROXIES);
  return trusted.length > 0 && ((address) => isWithin(address.replace(/%.*$/, ''), trusted));
}

/** Handles requests to which Node.js by default responds without a body, or by closing the connection. */
function handleEveryRequest(server: Server): void {
  server.on('clientError', handleClientError);
  server.on('connect', (_request, socket) => {
    handleClientError({}, socket as Socket);
  });
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response); // an unknown expectation need not be rejected (RFC 9110, 10.1.1)
  });
}

/** Limits how much work one connection may cause, and for how long. See docs/operating/proxies.md. */
function limitConnections(server: Server, maxUnread: number): Pipelines {
  const pipelines = new Pipelines();
  pipelines.watch(server);
  limitChunks(server);
  Object.assign(server, {
    requestTimeout: MAX_REQUEST_MS,
    timeout: MAX_SILENCE_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
  });
  closeStalledConnections(server, pipelines);
  new UnreadResponses(pipelines, maxUnread).watch(server);
  return pipelines;
}

/**
 * Changes the setting of the router itself, because Nest creates it before the setting `case sensitive routing` could
 * take effect.
 */
function enableCaseSensitiveRouting(app: NestExpressApplication): void {
  Object.assign(app.getHttpAdapter().getInstance().router, { caseSensitive: true });
}
