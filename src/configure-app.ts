import type { NestExpressApplication } from '@nestjs/platform-express';
import { forgivingPaths } from './common/forgiving-paths.js';
import { Log } from './common/log.js';
import { observeRequests } from './common/observe-requests.js';
import { Settings } from './settings/settings.js';

/** How the app is created, wherever it runs. */
export const APP_OPTIONS = {
  bodyParser: false, // bodies are read after the guards, by BodyInterceptor
  logger: false, // until configureApp gives it ours: Nest's own is for terminals, and tells of a failed start by a stack trace
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
  app.enableShutdownHooks(undefined, { useProcessExit: true });
  return app;
}
