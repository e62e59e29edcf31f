import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Log } from './logging/log.js';
import { answerUnreadable } from './http/answer-unreadable.js';
import { limitChunks } from './http/body/limit-chunks.js';
import { closeSilentConnections } from './http/close-silent-connections.js';
import { injectValidators } from './http/inject-validators.js';
import { Pipelines } from './http/pipeline.js';
import { prepareRequests } from './http/prepare-requests.js';
import { Shutdown } from './http/shutdown.js';
import { UnreadAnswers } from './http/unread-answers.js';
import { Metrics } from './metrics/metrics.js';
import { Settings } from './settings/settings.js';

/** Large uploads take long; still less than the hour after which bytes that no row tells of are swept. */
const LONGEST_REQUEST_MS = 50 * 60 * 1000;

/** A client that does not read what it asked for; one that does not send what it owes has twice as long. */
const LONGEST_SILENCE_MS = 30_000;

/** Longer than proxies keep theirs, so that none sends a request into a connection that we are just closing. */
const IDLE_CONNECTION_MS = 75_000;

/** How the app is created, wherever it runs. */
export const APP_OPTIONS = {
  bodyParser: false, // bodies are read after the guards, by PushBodyPipe
  logger: false, // until configureApp gives it ours: Nest's own is for terminals, and tells of a failed start by a stack trace
  abortOnError: false,
  routeConflictPolicy: { duplicate: 'error' },
} as const;

/** What the server does with every request, before any route. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const settings = app.get(Settings);
  const log = app.get(Log);
  const metrics = app.get(Metrics);

  injectValidators(app);
  app.useLogger(log);
  app.set('trust proxy', settings.TRUSTED_PROXIES);
  app.set('etag', false); // a secret is never "not modified"
  app.disable('x-powered-by');
  beStrictAboutCase(app);
  app.use(prepareRequests(log, metrics.request?.bind(metrics)));
  answerEverything(app.getHttpServer());
  boundConnections(app.getHttpServer());
  app.get(Shutdown).watch(app.getHttpServer());
  app.enableShutdownHooks(undefined, { useProcessExit: true });
  return app;
}

/** Node.js by itself would answer these without a body, or hang up. */
function answerEverything(server: Server): void {
  server.on('clientError', answerUnreadable);
  server.on('connect', (_request, socket) => {
    answerUnreadable({}, socket as Socket);
  });
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response); // what we know nothing of we need not refuse (RFC 9110, 10.1.1)
  });
}

/** What one connection may keep us busy with, and for how long. See docs/operating.md, Slow clients. */
function boundConnections(server: Server): void {
  const pipelines = new Pipelines();
  pipelines.bound(server);
  limitChunks(server);
  Object.assign(server, {
    requestTimeout: LONGEST_REQUEST_MS,
    timeout: LONGEST_SILENCE_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
  });
  closeSilentConnections(server, pipelines);
  new UnreadAnswers(pipelines).watch(server);
}

/** By hand, because Nest makes the router before `case sensitive routing` could be set. */
function beStrictAboutCase(app: NestExpressApplication): void {
  Object.assign(app.getHttpAdapter().getInstance().router, { caseSensitive: true });
}
