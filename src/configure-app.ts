import type { NestExpressApplication } from '@nestjs/platform-express';
import { forgivingPaths } from './common/forgiving-paths.js';
import { Log } from './common/log.js';
import { observeRequests } from './common/observe-requests.js';
import { Settings } from './settings/settings.js';

/** Large uploads take long; still less than the hour after which bytes that no row tells of are swept. */
const LONGEST_REQUEST_MS = 50 * 60 * 1000;

/** How the app is created, wherever it runs. */
export const APP_OPTIONS = {
  bodyParser: false, // bodies are read after the guards, by BodyInterceptor
  bufferLogs: true,
  abortOnError: false,
  routeConflictPolicy: { duplicate: 'error' },
} as const;

/** What the server does with every request, before any route. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const settings = app.get(Settings);
  const log = app.get(Log);

  app.useLogger(log);
  app.set('trust proxy', settings.TRUSTED_PROXIES);
  app.set('case sensitive routing', true);
  app.set('etag', false); // a secret is never "not modified"
  app.disable('x-powered-by');
  app.use(observeRequests(log), forgivingPaths);
  app.getHttpServer().requestTimeout = LONGEST_REQUEST_MS;
  app.enableShutdownHooks(undefined, { useProcessExit: true });
  return app;
}
