import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { answerUnreadable } from './common/answer-unreadable.js';
import { cutOff } from './common/cut-off.js';
import { forgivingPaths } from './common/forgiving-paths.js';
import { GracefulClose } from './common/graceful-close.js';
import { Log } from './common/log.js';
import { observeRequests } from './common/observe-requests.js';
import { unconditional } from './common/unconditional.js';
import { Metrics } from './metrics/metrics.js';
import { Settings } from './settings/settings.js';

/** Large uploads take long; still less than the hour after which bytes that no row tells of are swept. */
const LONGEST_REQUEST_MS = 50 * 60 * 1000;

/** A client that neither sends what it owes nor reads what it asked for; who creates a push has a bound of its own. */
const LONGEST_SILENCE_MS = 60_000;

/** Longer than proxies keep theirs, so that none sends a request into a connection that we are just closing. */
const IDLE_CONNECTION_MS = 75_000;

/** How the app is created, wherever it runs. */
export const APP_OPTIONS = {
  bodyParser: false, // bodies are read after the guards, by PushBodyInterceptor
  logger: false, // until configureApp gives it ours: Nest's own is for terminals, and tells of a failed start by a stack trace
  abortOnError: false,
  routeConflictPolicy: { duplicate: 'error' },
} as const;

/** What the server does with every request, before any route. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const settings = app.get(Settings);
  const log = app.get(Log);
  const metrics = app.get(Metrics);

  app.useLogger(log);
  app.set('trust proxy', settings.TRUSTED_PROXIES);
  app.set('etag', false); // a secret is never "not modified"
  app.disable('x-powered-by');
  beStrictAboutCase(app);
  app.use(
    observeRequests(log, (request) => {
      metrics.request?.(request);
    }),
    unconditional,
    forgivingPaths,
  );
  answerEverything(app.getHttpServer());
  Object.assign(app.getHttpServer(), {
    requestTimeout: LONGEST_REQUEST_MS,
    timeout: LONGEST_SILENCE_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
  });
  app.getHttpServer().on('timeout', cutOff);
  app.get(GracefulClose).watch(app.getHttpServer());
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

/** By hand, because Nest makes the router before `case sensitive routing` could be set. */
function beStrictAboutCase(app: NestExpressApplication): void {
  Object.assign(app.getHttpAdapter().getInstance().router, { caseSensitive: true });
}
